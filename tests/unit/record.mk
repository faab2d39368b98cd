# Tests of records, replays, and runs that are suspended and resumed.
recorded_sources = tests/unit/recorded.c tests/unit/recorded.h

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
