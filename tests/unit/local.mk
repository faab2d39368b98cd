# Unit tests: CUnit programs that print TAP. A folder's fragment may add its own in the same way.
check_LTLIBRARIES += libtest.la
libtest_la_SOURCES = tests/unit/test.c tests/unit/test.h
libtest_la_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir) $(CUNIT_CFLAGS)
libtest_la_LIBADD = $(CUNIT_LIBS)

unit_cppflags = $(host_cppflags) -I$(top_srcdir) -I$(top_builddir) $(CUNIT_CFLAGS)
unit_ldflags = $(AM_LDFLAGS) -no-install
unit_ldadd = libtest.la
# For tests of what libpawl does not export.
unit_core_ldadd = libtest.la libcore.la

check_PROGRAMS += tests/unit/core_values tests/unit/core_names tests/unit/core_run
TESTS += tests/unit/core_values tests/unit/core_names tests/unit/core_run

tests_unit_core_values_CPPFLAGS = $(unit_cppflags)
tests_unit_core_values_LDFLAGS = $(unit_ldflags)
tests_unit_core_values_LDADD = $(unit_core_ldadd)

tests_unit_core_names_CPPFLAGS = $(unit_cppflags)
tests_unit_core_names_LDFLAGS = $(unit_ldflags)
tests_unit_core_names_LDADD = $(unit_core_ldadd)

tests_unit_core_run_CPPFLAGS = $(unit_cppflags)
tests_unit_core_run_LDFLAGS = $(unit_ldflags)
tests_unit_core_run_LDADD = $(unit_core_ldadd)

check_PROGRAMS += tests/unit/plugin tests/unit/registry
TESTS += tests/unit/plugin tests/unit/registry

tests_unit_plugin_SOURCES = tests/unit/plugin.c
tests_unit_plugin_CPPFLAGS = $(unit_cppflags)
tests_unit_plugin_LDFLAGS = $(unit_ldflags)
tests_unit_plugin_LDADD = $(unit_core_ldadd)

tests_unit_registry_SOURCES = tests/unit/registry.c
tests_unit_registry_CPPFLAGS = $(unit_cppflags)
tests_unit_registry_LDFLAGS = $(unit_ldflags)
tests_unit_registry_LDADD = $(unit_core_ldadd)

check_PROGRAMS += tests/unit/abi
TESTS += tests/unit/abi
tests_unit_abi_SOURCES = tests/unit/abi.c
tests_unit_abi_CPPFLAGS = $(unit_cppflags)
tests_unit_abi_LDFLAGS = $(unit_ldflags)
tests_unit_abi_LDADD = $(unit_core_ldadd)
