# Tests of records, replays, and runs that are suspended and resumed.
recorded_sources = tests/unit/recorded.c tests/unit/recorded.h \
	tests/unit/scripted.c tests/unit/scripted.h

check_PROGRAMS += tests/unit/core_record
TESTS += tests/unit/core_record
tests_unit_core_record_SOURCES = tests/unit/core_record.c $(recorded_sources)
tests_unit_core_record_CPPFLAGS = $(unit_cppflags)
tests_unit_core_record_LDFLAGS = $(unit_ldflags)
tests_unit_core_record_LDADD = $(unit_core_ldadd)

check_PROGRAMS += tests/unit/oom_record
TESTS += tests/unit/oom_record
tests_unit_oom_record_SOURCES = tests/unit/oom_record.c $(oom_sources) $(recorded_sources)
tests_unit_oom_record_CPPFLAGS = $(unit_cppflags)
tests_unit_oom_record_LDFLAGS = $(oom_ldflags)
tests_unit_oom_record_LDADD = $(unit_core_ldadd)

if HAVE_QUICKJS
check_PROGRAMS += tests/unit/quickjs_suspended
TESTS += tests/unit/quickjs_suspended
tests_unit_quickjs_suspended_SOURCES = tests/unit/quickjs_suspended.c $(recorded_sources)
tests_unit_quickjs_suspended_CPPFLAGS = $(unit_cppflags)
tests_unit_quickjs_suspended_LDFLAGS = $(unit_ldflags)
tests_unit_quickjs_suspended_LDADD = tests/unit/quickjs_whole.o $(unit_core_ldadd) -lm

# As mujs_whole.o (quality.mk).
tests/unit/quickjs_whole.o: libquickjsprovider.la
	@$(MKDIR_P) $(@D)
	$(AM_V_CCLD)$(CC) -r -nostdlib -o $@ \
	    -Wl,--whole-archive .libs/libquickjsprovider.a -Wl,--no-whole-archive
	$(AM_V_at)$(OBJCOPY) --keep-global-symbol=pawl_provider_entry_v1 $@
CLEANFILES += tests/unit/quickjs_whole.o
endif

# What a record's text may do (make fuzz).
fuzz_programs += tests/fuzz/record
EXTRA_PROGRAMS += tests/fuzz/record
tests_fuzz_record_SOURCES = tests/fuzz/record.c tests/unit/scripted.c tests/unit/scripted.h
tests_fuzz_record_CPPFLAGS = $(host_cppflags) -I$(top_srcdir)
tests_fuzz_record_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_record_LDADD = libcore.la
EXTRA_DIST += tests/fuzz/record.corpus
