# The stage `audit`: writes down every call.
audit_sources = \
	stages/audit/audit.c \
	stages/audit/file.c stages/audit/file.h \
	stages/common/quiet.c stages/common/quiet.h \
	stages/common/sha256.c stages/common/sha256.h \
	stages/common/text.c stages/common/text.h \
	$(stage_common)

plugin_LTLIBRARIES += pawl-audit-stage.la
pawl_audit_stage_la_CPPFLAGS = $(plugin_cppflags) $(JSON_C_CFLAGS)
pawl_audit_stage_la_LDFLAGS = $(plugin_ldflags)
pawl_audit_stage_la_LIBADD = $(JSON_C_LIBS)
pawl_audit_stage_la_SOURCES = $(audit_sources)
dist_man_MANS += stages/audit/pawl-audit.7

check_PROGRAMS += tests/unit/audit
tests_unit_audit_SOURCES = tests/unit/audit.c tests/unit/stage.h $(audit_sources)
tests_unit_audit_CPPFLAGS = $(unit_cppflags) $(JSON_C_CFLAGS)
tests_unit_audit_LDFLAGS = $(unit_ldflags)
tests_unit_audit_LDADD = $(unit_ldadd) $(JSON_C_LIBS)
TESTS += tests/unit/audit
