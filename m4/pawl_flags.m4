dnl PAWL_COMPILER_FLAGS(VARIABLE, FLAGS), PAWL_LINKER_FLAGS(VARIABLE, FLAGS)
dnl Sets VARIABLE to those of the flags that the compiler (for the second: the linker) accepts.
dnl -Werror makes clang refuse a flag that it would otherwise only warn about.
AC_DEFUN([PAWL_COMPILER_FLAGS], [
  $1=
  for pawl_flag in $2; do
    AC_MSG_CHECKING([whether $CC accepts $pawl_flag])
    pawl_save=$CFLAGS
    CFLAGS="$CFLAGS -Werror $pawl_flag"
    AC_COMPILE_IFELSE([AC_LANG_SOURCE([[int main(void) { return 0; }]])],
      [AC_MSG_RESULT([yes]); $1="${$1:+$$1 }$pawl_flag"], [AC_MSG_RESULT([no])])
    CFLAGS=$pawl_save
  done
])

AC_DEFUN([PAWL_LINKER_FLAGS], [
  $1=
  for pawl_flag in $2; do
    AC_MSG_CHECKING([whether the linker accepts $pawl_flag])
    pawl_save=$LDFLAGS
    pawl_save_cflags=$CFLAGS
    CFLAGS="$CFLAGS $PIE_CFLAGS"
    LDFLAGS="$LDFLAGS -Werror $pawl_flag"
    AC_LINK_IFELSE([AC_LANG_SOURCE([[int main(void) { return 0; }]])],
      [AC_MSG_RESULT([yes]); $1="${$1:+$$1 }$pawl_flag"], [AC_MSG_RESULT([no])])
    LDFLAGS=$pawl_save
    CFLAGS=$pawl_save_cflags
  done
])
