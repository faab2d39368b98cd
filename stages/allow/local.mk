# The stage `allow`: lets calls through by name.
plugin_LTLIBRARIES += pawl-allow-stage.la
pawl_allow_stage_la_CPPFLAGS = $(plugin_cppflags) $(JSON_C_CFLAGS)
pawl_allow_stage_la_LDFLAGS = $(plugin_ldflags)
pawl_allow_stage_la_LIBADD = $(JSON_C_LIBS)
pawl_allow_stage_la_SOURCES = \
	stages/allow/allow.c \
	stages/allow/glob.c stages/allow/glob.h
dist_man_MANS += stages/allow/pawl-allow.7
