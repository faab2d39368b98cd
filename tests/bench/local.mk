# What pawl costs (make bench).
bench_programs += tests/bench/run
EXTRA_PROGRAMS += tests/bench/run
tests_bench_run_SOURCES = tests/bench/run.c tests/unit/scripted.c tests/unit/scripted.h
tests_bench_run_CPPFLAGS = $(host_cppflags) -I$(top_srcdir)
tests_bench_run_LDFLAGS = $(AM_LDFLAGS) -no-install
tests_bench_run_LDADD = libpawl.la
if HAVE_MUJS
tests_bench_run_CPPFLAGS += -DBENCH_MUJS $(MUJS_CFLAGS)
tests_bench_run_LDADD += $(MUJS_LIBS)
endif
