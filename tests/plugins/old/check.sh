#!/bin/sh
# Whether plugins that were built for an earlier version of the interface work in the present library
# and with the present pawl-child. Prints TAP; started through ./run.
old=$PAWL_SOURCE_DIR/tests/plugins/old
present=$PAWL_BUILD_DIR/plugins
machine=$(uname -m)
. "$PAWL_SOURCE_DIR/tests/tap.sh"
umask 022

cat >"$work/tools.json" <<'JSON'
{"namespaces": {"tools": {"functions": {"three": {"value": 3}, "four": {"value": 4}}}}}
JSON
cat >"$work/program.js" <<'JS'
console.log('it runs');
var caught = null;
try { tools.four(); } catch (e) { caught = e.code; }
return [tools.three() + 1, caught];
JS
echo 'while (true) {}' >"$work/loop.js"
echo 'nothing.at.all;' >"$work/fails.js"

# Writes the configuration for a provider; plugins of $plugins are taken before the present ones.
# configure PROVIDER [ENGINE]
configure() {
    options=${2:+"{\"engine\": \"$2\"}"}
    cat >"$work/pawl.json" <<JSON
{"plugin_dirs": ["$plugins"],
 "providers": [{"id": "it", "plugin": "$1", "config": ${options:-{\}}}],
 "stages": [{"plugin": "allow", "config": {"allow": ["tools.three"]}}]}
JSON
}
# run PROGRAM OPTION...
run() {
    program=$1
    shift
    pawl run --config "$work/pawl.json" --level process --language javascript-es5 --provider it \
        --memory 64M --timeout 20s --tools "$work/tools.json" "$@" "$work/$program"
}
returns() {
    value=$(run program.js) && echo "$value" && test "$value" = '[4,"stage_denied"]'
}
fails() {
    run fails.js --json | tee "$work/json" && grep -q '"kind":"runtime"' "$work/json" &&
        grep -q '"line":1' "$work/json"
}
stops() {
    run loop.js --json --timeout 200ms | tee "$work/json" && grep -q '"kind":"deadline"' "$work/json"
}
# Whether a plugin is the old one: is_old KIND NAME
is_old() {
    pawl "$1s" --config "$work/pawl.json" --json >"$work/json"
    cat "$work/json"
    grep -q "\"path\":\"$plugins/pawl-$2-$1.so\"" "$work/json"
}
# try_all WORDS
try_all() {
    check "$1: a program returns, and its gate denies" returns
    check "$1: a program fails at its line" fails
    check "$1: a program is stopped" stops
}
# Whether the present plugins can do here what the old ones are to do; otherwise "$work/output" says
# why not.
possible() {
    plugins=$work/none
    configure "$@"
    pawl check-config "$work/pawl.json" >"$work/output" 2>&1
    status=$?
    plugins=$work/plugins
    configure "$@"
    return $status
}

take() {
    rm -rf "$plugins"
    mkdir "$plugins"
    for plugin in "$@"; do
        cp "$folder/pawl-$plugin.so" "$plugins/" && chmod 755 "$plugins/pawl-$plugin.so"
    done
}

plugins=$work/plugins
mkdir "$work/none"
for folder in "$old"/*.*/; do
    folder=${folder%/}
    version=$(basename "$folder")
    if [ "${version##*.}" != "$machine" ]; then
        skip "$version" "this machine is $machine"
        continue
    fi
    mujs=yes
    if ldd "$folder/pawl-mujs-provider.so" 2>&1 | grep -q 'not found'; then
        mujs=
        skip "$version mujs" "$(ldd "$folder/pawl-mujs-provider.so" | sed -n 's/[[:space:]]*\(.*\) => not found.*/\1 is missing/p' | head -1)"
    fi
    if [ -n "$mujs" ]; then
        take mujs-provider allow-stage
        configure mujs
        check "$version: the old mujs is taken" is_old provider mujs
        check "$version: the old gate is taken" is_old stage allow
        try_all "$version mujs"
        for isolator in subprocess confine; do
            if [ ! -f "$present/pawl-$isolator-provider.so" ]; then
                skip "$version mujs in the present $isolator" "it was not built"
            elif ! possible $isolator mujs; then
                skip "$version mujs in the present $isolator" "$(head -1 "$work/output")"
            else
                try_all "$version mujs in the present $isolator"
            fi
        done
    fi
    for isolator in subprocess confine; do
        for engine in mujs old-mujs quickjs; do
            take $isolator-provider allow-stage
            if [ $engine = old-mujs ]; then
                [ -n "$mujs" ] || continue
                take $isolator-provider allow-stage mujs-provider
            elif [ ! -f "$present/pawl-$engine-provider.so" ]; then
                skip "$version $isolator with the present $engine" "it was not built"
                continue
            fi
            if ! possible $isolator ${engine#old-}; then
                skip "$version $isolator with $engine" "$(head -1 "$work/output")"
                continue
            fi
            check "$version: the old $isolator is taken" is_old provider $isolator
            try_all "$version $isolator with $engine in the present child"
        done
    done
done
[ $count -gt 0 ] || skip "old plugins" "there are none"
echo "1..$count"
