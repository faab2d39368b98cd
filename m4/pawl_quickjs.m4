dnl PAWL_QUICKJS
dnl
dnl Whether the quickjs provider can be built: sets have_quickjs, and quickjs_missing to what is
dnl missing. The engine is an npm package, as is what removes TypeScript's types. They are fetched
dnl here, so that a machine that cannot reach the registry learns so now and builds everything else.
AC_DEFUN([PAWL_QUICKJS], [
AC_CHECK_PROGS([WASM2C], [wasm2c])
AC_CHECK_PROGS([NODE], [node nodejs])
AC_CHECK_PROGS([NPM], [npm])
AC_CHECK_PROGS([OBJCOPY], [objcopy])
have_quickjs=no
AS_IF([test "$with_quickjs" = no], [quickjs_missing="pawl was configured --without-quickjs"],
      [test -z "$WASM2C"], [quickjs_missing="wasm2c is missing (Debian: wabt)"],
      [test -z "$NODE"], [quickjs_missing="node is missing (Debian: nodejs)"],
      [test -z "$NPM"], [quickjs_missing="npm is missing (Debian: npm)"],
      [test -z "$OBJCOPY"], [quickjs_missing="objcopy is missing (Debian: binutils)"], [
  AC_MSG_CHECKING([for the npm packages quickjs-wasi and sucrase])
  AS_IF([{ /bin/sh "$srcdir/providers/quickjs/fetch" quickjs-wasi providers/quickjs/quickjs.wasm &&
           /bin/sh "$srcdir/providers/quickjs/fetch" sucrase providers/quickjs/sucrase
         } >&AS_MESSAGE_LOG_FD 2>&1],
        [have_quickjs=yes; AC_MSG_RESULT([yes])],
        [AC_MSG_RESULT([no])
         quickjs_missing="the npm packages quickjs-wasi and sucrase could not be fetched (config.log says why)"])
])
AS_IF([test "$with_quickjs" = yes && test $have_quickjs = no],
      [AC_MSG_ERROR([--with-quickjs: $quickjs_missing])])
])
