# Stopping an engine that has no interrupt hook; linked into the plugins of such engines.
noinst_LTLIBRARIES += libpreempt.la
libpreempt_la_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)
libpreempt_la_SOURCES = \
	providers/preempt/preempt.c \
	providers/preempt/preempt.h

check_PROGRAMS += tests/unit/preempt
TESTS += tests/unit/preempt
tests_unit_preempt_SOURCES = tests/unit/preempt.c tests/unit/signals.h
tests_unit_preempt_CPPFLAGS = $(unit_cppflags)
tests_unit_preempt_LDFLAGS = $(unit_ldflags)
tests_unit_preempt_LDADD = $(unit_ldadd) libpreempt.la -lm
