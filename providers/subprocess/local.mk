# The provider subprocess: an engine, or a command, in a process of its own.
noinst_LTLIBRARIES += libsubprocess.la
libsubprocess_la_CPPFLAGS = $(plugin_cppflags) -I$(top_builddir)
libsubprocess_la_LIBADD = libparent.la
libsubprocess_la_SOURCES = providers/subprocess/subprocess.c

plugin_LTLIBRARIES += pawl-subprocess-provider.la
pawl_subprocess_provider_la_SOURCES =
pawl_subprocess_provider_la_LDFLAGS = $(plugin_ldflags)
pawl_subprocess_provider_la_LIBADD = libsubprocess.la

# Tests: the provider without the library, with an engine that does as it is told and children that
# do not.
check_LTLIBRARIES += tests/plugins/pawl-stub-provider.la
tests_plugins_pawl_stub_provider_la_SOURCES = tests/plugins/stub-engine.c
tests_plugins_pawl_stub_provider_la_CPPFLAGS = $(plugin_cppflags)
tests_plugins_pawl_stub_provider_la_LDFLAGS = $(plugin_ldflags) -rpath /nowhere
tests_plugins_pawl_stub_provider_la_LIBADD = libwire.la

check_PROGRAMS += tests/wire/forge
tests_wire_forge_SOURCES = tests/wire/forge.c tests/wire/forgery.c tests/wire/forgery.h
dist_check_DATA = tests/wire/child.py

wire_test_sources = tests/wire/host.c tests/wire/host.h
check_PROGRAMS += tests/unit/subprocess tests/unit/subprocess_forged tests/unit/subprocess_faults
TESTS += tests/unit/subprocess tests/unit/subprocess_forged tests/unit/subprocess_faults

tests_unit_subprocess_SOURCES = tests/unit/subprocess.c $(wire_test_sources)
tests_unit_subprocess_CPPFLAGS = $(unit_cppflags)
tests_unit_subprocess_LDFLAGS = $(unit_ldflags)
tests_unit_subprocess_LDADD = $(unit_ldadd) libsubprocess.la

tests_unit_subprocess_forged_SOURCES = tests/unit/subprocess_forged.c $(wire_test_sources)
tests_unit_subprocess_forged_CPPFLAGS = $(unit_cppflags)
tests_unit_subprocess_forged_LDFLAGS = $(unit_ldflags)
tests_unit_subprocess_forged_LDADD = $(unit_ldadd) libsubprocess.la

# The calls of the parent's side that the test lets fail.
faults_wrap = -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=reallocarray,--wrap=strdup,--wrap=pipe2,--wrap=poll,--wrap=eventfd,--wrap=setsid,--wrap=chdir,--wrap=setrlimit,--wrap=sigprocmask,--wrap=execve,--wrap=read,--wrap=write,--wrap=prlimit,--wrap=pthread_create,--wrap=open,--wrap=fcntl,--wrap=prctl,--wrap=clone,--wrap=syscall
tests_unit_subprocess_faults_SOURCES = tests/unit/subprocess_faults.c $(wire_test_sources)
tests_unit_subprocess_faults_CPPFLAGS = $(unit_cppflags)
tests_unit_subprocess_faults_LDFLAGS = $(unit_ldflags) $(faults_wrap)
tests_unit_subprocess_faults_LDADD = $(unit_ldadd) libsubprocess.la

# A pawl-child in which an allocation fails.
check_PROGRAMS += tests/wire/starved tests/unit/subprocess_starved
TESTS += tests/unit/subprocess_starved
tests_wire_starved_SOURCES = $(pawl_child_SOURCES) tests/wire/starved.c
tests_wire_starved_CPPFLAGS = $(pawl_child_CPPFLAGS)
tests_wire_starved_CFLAGS = $(program_cflags) -fno-builtin
tests_wire_starved_LDFLAGS = $(program_ldflags)
tests_wire_starved_LDADD = $(pawl_child_LDADD)
tests_unit_subprocess_starved_SOURCES = tests/unit/subprocess_starved.c $(wire_test_sources)
tests_unit_subprocess_starved_CPPFLAGS = $(unit_cppflags)
tests_unit_subprocess_starved_LDFLAGS = $(unit_ldflags)
tests_unit_subprocess_starved_LDADD = $(unit_ldadd) libsubprocess.la

bench_programs += tests/bench/subprocess
EXTRA_PROGRAMS += tests/bench/subprocess
tests_bench_subprocess_SOURCES = tests/bench/subprocess.c tests/bench/measure.c tests/bench/measure.h \
	$(wire_test_sources)
tests_bench_subprocess_CPPFLAGS = $(unit_cppflags)
tests_bench_subprocess_LDADD = libsubprocess.la
EXTRA_tests_bench_subprocess_DEPENDENCIES = tests/plugins/pawl-stub-provider.la

fuzz_programs += tests/fuzz/relay
EXTRA_PROGRAMS += tests/fuzz/relay
tests_fuzz_relay_SOURCES = tests/fuzz/relay.c $(wire_test_sources)
tests_fuzz_relay_CPPFLAGS = $(plugin_cppflags)
tests_fuzz_relay_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_relay_LDADD = libsubprocess.la
EXTRA_tests_fuzz_relay_DEPENDENCIES = tests/wire/forge

dist_man_MANS += providers/subprocess/pawl-subprocess-provider.7
