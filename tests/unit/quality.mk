# Tests of the library as a whole: without memory, on many threads.
#
# What the code under test allocates passes through tests/unit/oom.c.
oom_ldflags = $(unit_ldflags) \
	-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free \
	-Wl,--wrap=strdup,--wrap=strndup,--wrap=vasprintf,--wrap=asprintf \
	-Wl,--wrap=__vasprintf_chk,--wrap=__asprintf_chk,--wrap=mmap \
	-Wl,--wrap=eventfd,--wrap=epoll_create1,--wrap=timerfd_create,--wrap=pthread_create
oom_sources = tests/unit/oom.c tests/unit/oom.h

check_PROGRAMS += tests/unit/oom_run
TESTS += tests/unit/oom_run
tests_unit_oom_run_SOURCES = tests/unit/oom_run.c $(oom_sources) \
	tests/unit/scripted.c tests/unit/scripted.h
tests_unit_oom_run_CPPFLAGS = $(unit_cppflags)
tests_unit_oom_run_LDFLAGS = $(oom_ldflags)
tests_unit_oom_run_LDADD = $(unit_core_ldadd)
