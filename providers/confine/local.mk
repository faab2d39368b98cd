# The provider confine: an engine behind the kernel's walls. What the child does for that is in
# providers/lock.
if HAVE_CONFINE
noinst_LTLIBRARIES += libconfine.la
libconfine_la_CPPFLAGS = $(plugin_cppflags) -I$(top_builddir)
libconfine_la_LIBADD = libparent.la
libconfine_la_SOURCES = \
	providers/confine/confine.c \
	providers/confine/options.c \
	providers/confine/options.h \
	providers/confine/proof.c \
	providers/confine/proof.h

plugin_LTLIBRARIES += pawl-confine-provider.la
pawl_confine_provider_la_SOURCES =
pawl_confine_provider_la_LDFLAGS = $(plugin_ldflags)
pawl_confine_provider_la_LIBADD = libconfine.la

dist_man_MANS += providers/confine/pawl-confine-provider.7

# Tests: the jail, from an engine that has been taken over.
check_LTLIBRARIES += libprobes.la tests/plugins/pawl-compromised-provider.la
libprobes_la_CPPFLAGS = $(plugin_cppflags)
libprobes_la_SOURCES = \
	tests/probes/probe.c \
	tests/probes/probe.h \
	tests/probes/probes.c
tests_plugins_pawl_compromised_provider_la_SOURCES = tests/plugins/compromised-engine.c
tests_plugins_pawl_compromised_provider_la_CPPFLAGS = $(plugin_cppflags)
tests_plugins_pawl_compromised_provider_la_LDFLAGS = $(plugin_ldflags) -rpath /nowhere
tests_plugins_pawl_compromised_provider_la_LIBADD = libprobes.la -lpthread

# A pawl-child that leaves out a step of its lock-down, and says that it took it.
check_PROGRAMS += tests/wire/liar
tests_wire_liar_SOURCES = $(pawl_child_SOURCES) tests/wire/liar.c
tests_wire_liar_CPPFLAGS = $(pawl_child_CPPFLAGS)
tests_wire_liar_CFLAGS = $(program_cflags)
tests_wire_liar_LDFLAGS = $(program_ldflags)
tests_wire_liar_LDADD = liblock.la $(LIBCAP_LIBS)

check_PROGRAMS += tests/unit/confine
TESTS += tests/unit/confine
environment_sources = tests/unit/environment.c tests/unit/environment.h
tests_unit_confine_SOURCES = tests/unit/confine.c $(environment_sources) $(wire_test_sources)
tests_unit_confine_CPPFLAGS = $(unit_cppflags)
tests_unit_confine_LDFLAGS = $(unit_ldflags)
tests_unit_confine_LDADD = $(unit_ldadd) libconfine.la

dist_check_DATA += tests/wire/confined.py
check_PROGRAMS += tests/unit/confine_command
TESTS += tests/unit/confine_command
tests_unit_confine_command_SOURCES = tests/unit/confine_command.c $(wire_test_sources)
tests_unit_confine_command_CPPFLAGS = $(unit_cppflags)
tests_unit_confine_command_LDFLAGS = $(unit_ldflags)
tests_unit_confine_command_LDADD = $(unit_ldadd) libconfine.la

check_PROGRAMS += tests/unit/confine_probes
TESTS += tests/unit/confine_probes
tests_unit_confine_probes_SOURCES = \
	tests/unit/confine_probes.c $(environment_sources) $(wire_test_sources)
tests_unit_confine_probes_CPPFLAGS = $(unit_cppflags)
tests_unit_confine_probes_LDFLAGS = $(unit_ldflags)
tests_unit_confine_probes_LDADD = $(unit_ldadd) libconfine.la libprobes.la

# Measurements (make bench).
bench_programs += tests/bench/confine
EXTRA_PROGRAMS += tests/bench/confine
tests_bench_confine_SOURCES = tests/bench/confine.c tests/bench/measure.c tests/bench/measure.h \
	$(wire_test_sources)
tests_bench_confine_CPPFLAGS = $(unit_cppflags)
tests_bench_confine_LDFLAGS = $(unit_ldflags)
tests_bench_confine_LDADD = libwire.la -lpthread
endif
