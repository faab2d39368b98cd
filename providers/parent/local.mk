# What isolating providers share: starting children, and carrying a run to and from one.
noinst_LTLIBRARIES += libparent.la
libparent_la_CPPFLAGS = $(wire_cppflags) -DPAWL_CHILD='"$(pkglibexecdir)/pawl-child"'
libparent_la_LIBADD = libwire.la -lpthread
libparent_la_SOURCES = \
	core/redact.c core/redact.h \
	providers/parent/bounds.c providers/parent/bounds.h \
	providers/parent/cgroup.c providers/parent/cgroup.h \
	providers/parent/config.c providers/parent/config.h \
	providers/parent/instance.c providers/parent/instance.h \
	providers/parent/launch.c providers/parent/launch.h \
	providers/parent/pool.c providers/parent/pool.h \
	providers/lock/idmap.c providers/lock/idmap.h \
	providers/parent/proc.c providers/parent/proc.h \
	providers/parent/program_frame.c providers/parent/program_frame.h \
	providers/parent/relay.c providers/parent/relay.h providers/parent/relay_state.h \
	providers/parent/relay_calls.c \
	providers/parent/relay_end.c \
	providers/parent/relay_report.c \
	providers/parent/sigpipe.c providers/parent/sigpipe.h \
	providers/parent/tail.c providers/parent/tail.h \
	providers/parent/worker.c providers/parent/worker.h
