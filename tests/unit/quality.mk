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

if HAVE_MUJS
check_PROGRAMS += tests/unit/oom_mujs
TESTS += tests/unit/oom_mujs
tests_unit_oom_mujs_SOURCES = tests/unit/oom_mujs.c $(oom_sources)
tests_unit_oom_mujs_CPPFLAGS = $(unit_cppflags)
tests_unit_oom_mujs_LDFLAGS = $(oom_ldflags)
tests_unit_oom_mujs_LDADD = tests/unit/mujs_whole.o $(unit_core_ldadd) $(MUJS_LIBS) -lm

# The plugin as one object with nothing but its entry, so that it can be linked beside the library,
# which has functions of the same names.
tests/unit/mujs_whole.o: libmujsprovider.la
	@$(MKDIR_P) $(@D)
	$(AM_V_CCLD)$(CC) -r -nostdlib -o $@ \
	    -Wl,--whole-archive .libs/libmujsprovider.a -Wl,--no-whole-archive
	$(AM_V_at)$(OBJCOPY) --keep-global-symbol=pawl_provider_entry_v1 $@
CLEANFILES += tests/unit/mujs_whole.o
endif

check_PROGRAMS += tests/unit/threads
TESTS += tests/unit/threads
tests_unit_threads_SOURCES = tests/unit/threads.c tests/unit/scripted.c tests/unit/scripted.h
tests_unit_threads_CPPFLAGS = $(unit_cppflags)
tests_unit_threads_LDFLAGS = $(unit_ldflags)
tests_unit_threads_LDADD = $(unit_core_ldadd)

check_PROGRAMS += tests/unit/core_calls
TESTS += tests/unit/core_calls
tests_unit_core_calls_SOURCES = tests/unit/core_calls.c tests/unit/scripted.c tests/unit/scripted.h
tests_unit_core_calls_CPPFLAGS = $(unit_cppflags)
tests_unit_core_calls_LDFLAGS = $(unit_ldflags)
tests_unit_core_calls_LDADD = $(unit_core_ldadd)

check_PROGRAMS += tests/unit/core_waiting
TESTS += tests/unit/core_waiting
tests_unit_core_waiting_SOURCES = tests/unit/core_waiting.c \
	tests/unit/scripted.c tests/unit/scripted.h
tests_unit_core_waiting_CPPFLAGS = $(unit_cppflags)
tests_unit_core_waiting_LDFLAGS = $(unit_ldflags)
tests_unit_core_waiting_LDADD = $(unit_core_ldadd)

check_PROGRAMS += tests/unit/core_ring
TESTS += tests/unit/core_ring
tests_unit_core_ring_SOURCES = tests/unit/core_ring.c
tests_unit_core_ring_CPPFLAGS = $(unit_cppflags)
tests_unit_core_ring_LDFLAGS = $(unit_ldflags)
tests_unit_core_ring_LDADD = $(unit_core_ldadd)
