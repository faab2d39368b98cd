# The program that isolating providers start. It links nothing but libc: that is what makes it start
# fast, and what is in a locked process.
pkglibexec_PROGRAMS += pawl-child
pawl_child_CPPFLAGS = $(plugin_cppflags) -I$(top_builddir)
pawl_child_CFLAGS = $(program_cflags)
pawl_child_LDFLAGS = $(program_ldflags)
pawl_child_SOURCES = \
	providers/child/channel.c \
	providers/child/channel.h \
	providers/child/command.c \
	providers/child/command.h \
	providers/child/engine.c \
	providers/child/engine.h \
	providers/child/limits.c \
	providers/child/limits.h \
	providers/child/lock.h \
	providers/child/main.c \
	providers/child/program.c \
	providers/child/program.h \
	providers/child/run.c \
	providers/child/run_answers.c \
	providers/child/run_calls.c \
	providers/child/run_questions.c \
	providers/child/run_report.c \
	providers/child/run_state.h \
	providers/child/run.h \
	providers/wire/base64.c \
	providers/wire/base64.h \
	providers/wire/frame.c \
	providers/wire/frame.h \
	providers/wire/json.c \
	providers/wire/json.h \
	providers/wire/text.c \
	providers/wire/text.h
if HAVE_CONFINE
pawl_child_LDADD = liblock.la $(LIBCAP_LIBS)
else
pawl_child_SOURCES += providers/child/lock.c
endif
EXTRA_DIST += providers/child/lock.c
