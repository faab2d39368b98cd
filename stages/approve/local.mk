# The stage `approve`: has somebody decide.
approve_sources = \
	stages/approve/answer.c stages/approve/answer.h \
	stages/approve/approve.c \
	stages/approve/command.c stages/approve/command.h \
	stages/approve/terminal.c stages/approve/terminal.h \
	stages/common/quiet.c stages/common/quiet.h \
	stages/common/text.c stages/common/text.h \
	$(stage_common)

plugin_LTLIBRARIES += pawl-approve-stage.la
pawl_approve_stage_la_CPPFLAGS = $(plugin_cppflags) $(JSON_C_CFLAGS)
pawl_approve_stage_la_LDFLAGS = $(plugin_ldflags)
pawl_approve_stage_la_LIBADD = $(JSON_C_LIBS)
pawl_approve_stage_la_SOURCES = $(approve_sources)
dist_man_MANS += stages/approve/pawl-approve.7

check_PROGRAMS += tests/unit/approve
tests_unit_approve_SOURCES = tests/unit/approve.c tests/unit/stage.h $(approve_sources)
tests_unit_approve_CPPFLAGS = $(unit_cppflags) $(JSON_C_CFLAGS)
tests_unit_approve_LDFLAGS = $(unit_ldflags)
tests_unit_approve_LDADD = $(unit_ldadd) $(JSON_C_LIBS)
TESTS += tests/unit/approve
