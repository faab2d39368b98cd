# What isolating providers share: starting a child, keeping some ready, carrying a run to and fro.
# It is part of each such plugin, which contains the redactor, too.
noinst_LTLIBRARIES += libparent.la
libparent_la_CPPFLAGS = $(plugin_cppflags) -I$(top_builddir) \
	-DPAWL_CHILD='"$(pkglibexecdir)/pawl-child"'
libparent_la_LIBADD = libwire.la
libparent_la_SOURCES = \
	core/redact.c \
	core/redact.h \
	providers/lock/idmap.c \
	providers/lock/idmap.h \
	providers/parent/bounds.c \
	providers/parent/bounds.h \
	providers/parent/cgroup.c \
	providers/parent/cgroup.h \
	providers/parent/config.c \
	providers/parent/config.h \
	providers/parent/gateway.c \
	providers/parent/gateway.h \
	providers/parent/instance.c \
	providers/parent/instance.h \
	providers/parent/launch.c \
	providers/parent/launch.h \
	providers/parent/pool.c \
	providers/parent/pool.h \
	providers/parent/proc.c \
	providers/parent/proc.h \
	providers/parent/program_frame.c \
	providers/parent/program_frame.h \
	providers/parent/proxy.c \
	providers/parent/proxy.h \
	providers/parent/question.c \
	providers/parent/question.h \
	providers/parent/relay.c \
	providers/parent/relay.h \
	providers/parent/relay_calls.c \
	providers/parent/relay_end.c \
	providers/parent/relay_report.c \
	providers/parent/relay_suspend.c \
	providers/parent/relay_state.h \
	providers/parent/sigpipe.c \
	providers/parent/sigpipe.h \
	providers/parent/tail.c \
	providers/parent/tail.h \
	providers/parent/worker.c \
	providers/parent/worker.h
