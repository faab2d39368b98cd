#!/bin/sh
# check.sh             whether a vendor's provider can be built with what `make install` leaves,
#                      which goes into a folder that is removed again, and holds what it claims
# check.sh installed   the same with what `make install` has put into the real prefix
#
# Prints TAP. Started through ./run; CC, MAKE and SANITIZE (flags) come from the Makefile.
source=$PAWL_SOURCE_DIR/tests/plugins/vendor
build=$PAWL_BUILD_DIR
: "${CC=cc}" "${MAKE=make}"
unset MAKEFLAGS MAKELEVEL MFLAGS
if ! pkg-config --exists lua5.4; then
    echo "1..0 # SKIP Lua 5.4 is missing (Debian: liblua5.4-dev)"
    exit 0
fi
. "$PAWL_SOURCE_DIR/tests/tap.sh"

root=
if [ "$1" != installed ]; then
    root=$work/root
    check "make install" $MAKE -s -C "$build" install DESTDIR="$root"
fi
place() {
    echo "$root$($MAKE -s --no-print-directory -C "$build" "print-$1")"
}
bindir=$(place bindir)
libdir=$(place libdir)
PAWL_CFLAGS=$(PKG_CONFIG_PATH="$libdir/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$root" \
    pkg-config --cflags pawl-plugin)
[ -n "$PAWL_CFLAGS" ] || PAWL_CFLAGS=' ' # a prefix in which compilers look anyway
child=$PAWL_CHILD
unset PAWL_PLUGIN_DIR PAWL_CHILD LD_LIBRARY_PATH
# In the real prefix everything finds the rest by itself.
if [ -n "$root" ]; then
    export LD_LIBRARY_PATH="$libdir" PAWL_CHILD="$child"
fi

# Nothing of the tree is within its reach.
mkdir "$work/vendor"
chmod 755 "$work/vendor"
cp "$source"/Makefile "$source"/*.[ch] "$source"/lua.json "$work/vendor"
cd "$work/vendor" || exit 1
check "it is built with what is installed" $MAKE CC="$CC" CFLAGS="-O2 -g -Werror $SANITIZE" \
    LDFLAGS= PAWL_CFLAGS="$PAWL_CFLAGS"
plugin=$work/vendor/pawl-lua-provider.so
check "it needs nothing of the build tree" sh -c "! ldd '$plugin' | grep -F '$build'"

harness() {
    PAWL_PLUGIN_DIR=$work/vendor "$bindir/pawl-harness" --programs lua.json "$@"
}
# Whether no requirement fails; what a sanitizer keeps of freed memory is no growth.
holds() {
    harness "$@" >"$work/tap"
    status=$?
    cat "$work/tap"
    [ $status = 0 ] || { [ -n "$SANITIZE" ] && ! grep '^not ok' "$work/tap" | grep -Ev ' R(49|88) '; }
}
check "it holds what it claims" holds --runs 1000 --lock "$work/record.json" "$plugin"
check "its level was found to hold" grep -q '"level_holds": true' "$work/record.json"

# In the isolating providers, without a change to either.
for provider in subprocess confine; do
    isolator=$libdir/pawl/pawl-$provider-provider.so
    config='{"engine":"lua"}'
    if [ ! -f "$isolator" ]; then
        skip "it holds inside $provider" "$provider was not built"
    elif ! harness --only R04 --config "$config" "$isolator" >"$work/output" 2>&1; then
        skip "it holds inside $provider" "$(sed -n 's/^# //p' "$work/output" | head -1)"
    else
        check "it holds inside $provider" holds --runs 200 --config "$config" "$isolator"
    fi
done

# Where it must be verified, it is run with its record and refused without.
mkdir "$work/verified"
chmod 755 "$work/verified"
printf '{"plugin_dirs": ["%s"], "require_verified": true, "verified_dir": "%s"}\n' \
    "$work/vendor" "$work/verified" >"$work/pawl.json"
run() {
    echo 'return #"four" * 10 + 2' | PAWL_PLUGIN_DIR=$libdir/pawl "$bindir/pawl" run \
        --config "$work/pawl.json" --level process --language lua -
}
refused() {
    ! run && "$bindir/pawl" providers --config "$work/pawl.json" | grep 'it must be verified'
}
returns_42() {
    test "$(run)" = 42
}
check "it is refused while it is not verified" refused
cp "$work/record.json" "$work/verified/lua.json"
check "it is run when it is" returns_42
echo "1..$count"
