# The stage `quota`: limits how often and with how much each function is called.
quota_sources = \
	stages/quota/quota.c \
	stages/quota/table.c stages/quota/table.h \
	stages/quota/window.c stages/quota/window.h \
	$(stage_common)

plugin_LTLIBRARIES += pawl-quota-stage.la
pawl_quota_stage_la_CPPFLAGS = $(plugin_cppflags) $(JSON_C_CFLAGS)
pawl_quota_stage_la_LDFLAGS = $(plugin_ldflags)
pawl_quota_stage_la_LIBADD = $(JSON_C_LIBS)
pawl_quota_stage_la_SOURCES = $(quota_sources)
dist_man_MANS += stages/quota/pawl-quota.7

check_PROGRAMS += tests/unit/quota
tests_unit_quota_SOURCES = tests/unit/quota.c tests/unit/stage.h $(quota_sources)
tests_unit_quota_CPPFLAGS = $(unit_cppflags) $(JSON_C_CFLAGS)
tests_unit_quota_LDFLAGS = $(unit_ldflags)
tests_unit_quota_LDADD = $(unit_ldadd) $(JSON_C_LIBS)
TESTS += tests/unit/quota
