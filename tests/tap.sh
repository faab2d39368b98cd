# tap.sh - for test scripts: a folder of their own in $work, and results as TAP. To be sourced.
work=$(mktemp -d) || exit 1
work=$(cd "$work" && pwd -P)
chmod 755 "$work" # plugins are loaded only from folders that nobody else could have changed
trap 'rm -rf "$work"' EXIT

count=0
# ok NAME
ok() {
    count=$((count + 1))
    echo "ok $count - $1"
}
# not_ok NAME: with what stands in $work/output.
not_ok() {
    count=$((count + 1))
    echo "not ok $count - $1"
    grep -v '^ok' "$work/output" | sed 's/^/# /' | head -60
}
# check NAME COMMAND...: what it printed is shown only if it fails.
check() {
    name=$1
    shift
    if "$@" >"$work/output" 2>&1; then ok "$name"; else not_ok "$name"; fi
}
# skip NAME WHY
skip() {
    ok "$1 # SKIP $2"
}
