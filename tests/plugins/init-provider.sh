#!/bin/sh
# init-provider.sh             whether what `pawl init-provider` writes is built with the headers of
#                              the build tree, and holds what it claims
# init-provider.sh installed   the same with what `make install` has put into the real prefix
#
# Prints TAP. Started through ./run; CC, MAKE and SANITIZE (flags) come from the Makefile.
build=$PAWL_BUILD_DIR
: "${CC=cc}" "${MAKE=make}"
unset MAKEFLAGS MAKELEVEL MFLAGS
if [ "$1" = installed ]; then
    place() {
        $MAKE -s --no-print-directory -C "$build" "print-$1"
    }
    PATH=$(place bindir):$PATH
    plugins=$(place libdir)/pawl
    export PKG_CONFIG_PATH="$(place libdir)/pkgconfig"
    unset PAWL_PLUGIN_DIR PAWL_CHILD LD_LIBRARY_PATH
    PAWL_CFLAGS=$(pkg-config --cflags pawl-plugin)
else
    plugins=$build/plugins
    PAWL_CFLAGS=$(PKG_CONFIG_PATH=$build pkg-config \
        --define-variable=includedir="$build/include/abi" --cflags pawl-plugin)
fi
. "$PAWL_SOURCE_DIR/tests/tap.sh"
umask 022

cd "$work" || exit 1
check "it is written" pawl init-provider acme-2
cd "$work/pawl-acme-2" || exit 1
check "no placeholder is left" sh -c '! grep -r @NAME@ .'
check "it is built" $MAKE CC="$CC" CFLAGS="-O2 -g -Werror $SANITIZE" LDFLAGS= \
    PAWL_CFLAGS="${PAWL_CFLAGS:- }"

# Whether no requirement fails; what a sanitizer keeps of freed memory is no growth.
holds() {
    pawl-harness --programs programs.json "$@" >"$work/tap"
    status=$?
    cat "$work/tap"
    [ $status = 0 ] || { [ -n "$SANITIZE" ] && ! grep '^not ok' "$work/tap" | grep -Ev ' R(49|88) '; }
}
check "its own check passes" $MAKE -s check HARNESS=true
check "it holds what it claims" holds --runs 500 --lock record.json ./pawl-acme-2-provider.so
check "its level was found to hold" grep -q '"level_holds": true' record.json
passed() {
    test "$(grep -c '^ok .* R' "$work/tap")" -ge 66 && test "$(grep -c '# SKIP' "$work/tap")" -le 21
}
check "few requirements were skipped" passed

PAWL_PLUGIN_DIR=$work/pawl-acme-2
export PAWL_PLUGIN_DIR
check "it holds inside subprocess" holds --runs 50 --config '{"engine":"acme-2"}' \
    "$plugins/pawl-subprocess-provider.so"
returns_42() {
    test "$(printf 'log hello\nreturn 42\n' | pawl run --level process --language acme-2 -)" = 42
}
check "the README's program runs" returns_42
echo "1..$count"
