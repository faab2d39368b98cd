#!/bin/sh
# check.sh             whether a program can embed pawl as this build tree has it, and as
#                      `make install` leaves it: into a folder that is removed again
# check.sh installed   the same with what `make install` has put into the real prefix
#
# Prints TAP. Started through ./run; CC, MAKE and SANITIZE (flags) come from the Makefile.
source=$PAWL_SOURCE_DIR/tests/host
build=$PAWL_BUILD_DIR
: "${CC=cc}" "${MAKE=make}"
unset MAKEFLAGS MAKELEVEL MFLAGS
have_mujs=no
[ ! -f "$build/plugins/pawl-mujs-provider.so" ] || have_mujs=yes
. "$PAWL_SOURCE_DIR/tests/tap.sh"

# Whether a host says what it should.
says() {
    "$@" >"$work/said" 2>&1 && printf '%s\n' 'The program returned:' \
        '{"entries":3,"mean_ms":30}' 'Logs:' 'read 3 entries' | diff - "$work/said" ||
        { cat "$work/said"; return 1; }
}

compile() {
    $CC -std=c11 -Wall -Wextra -Werror $SANITIZE -o "$@"
}

check "the example host is short" test "$(wc -l <"$source/host.c")" -lt 80
check "it is compiled against the build tree" compile "$work/uninstalled" "$source/host.c" \
    -I"$build/include/host" -I"$build/include/abi" -L"$build/.libs" -lpawl
if [ "$have_mujs" = yes ]; then
    check "it runs uninstalled" says "$work/uninstalled"
else
    skip "it runs uninstalled" "the mujs provider was not built"
fi

# Everything below sees what is installed, and nothing of the build tree.
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
unset PAWL_PLUGIN_DIR PAWL_CHILD LD_LIBRARY_PATH
export PKG_CONFIG_PATH="$libdir/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$root"
# In the real prefix everything finds the rest by itself.
installed="env -u PAWL_PLUGIN_DIR"
[ -z "$root" ] || installed="env PAWL_PLUGIN_DIR=$libdir/pawl LD_LIBRARY_PATH=$libdir"

check "it is compiled against what is installed" compile "$work/installed" "$source/host.c" \
    $(pkg-config --cflags --libs pawl) -Wl,-rpath,"$libdir"
check "nothing of the build tree is needed" sh -c "! ldd '$work/installed' | grep -F '$build'"
if [ "$have_mujs" = yes ]; then
    check "it runs with what is installed" says $installed "$work/installed"
    echo '{}' >"$work/pawl.json"
    check "the command line runs, too" $installed sh -c \
        "echo 'return 6 * 7' | '$bindir/pawl' run --config '$work/pawl.json' --level process \
            --language javascript-es5 - | grep -x 42"
else
    skip "it runs with what is installed" "the mujs provider was not built"
    skip "the command line runs, too" "the mujs provider was not built"
fi
echo "1..$count"
