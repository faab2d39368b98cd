# The stage `allow`: lets calls through by name.
plugin_LTLIBRARIES += pawl-allow-stage.la
pawl_allow_stage_la_CPPFLAGS = $(plugin_cppflags) $(JSON_C_CFLAGS)
pawl_allow_stage_la_LDFLAGS = $(plugin_ldflags)
pawl_allow_stage_la_LIBADD = $(JSON_C_LIBS)
pawl_allow_stage_la_SOURCES = \
	stages/allow/allow.c \
	$(stage_common)
dist_man_MANS += stages/allow/pawl-allow.7

check_PROGRAMS += tests/unit/allow
tests_unit_allow_SOURCES = \
	tests/unit/allow.c \
	stages/allow/allow.c \
	$(stage_common)
tests_unit_allow_CPPFLAGS = $(unit_cppflags) $(JSON_C_CFLAGS)
tests_unit_allow_LDFLAGS = $(unit_ldflags)
tests_unit_allow_LDADD = $(unit_ldadd) $(JSON_C_LIBS)
TESTS += tests/unit/allow
