# What pawl-child takes away from itself. The parent's side is providers/confine.
if HAVE_CONFINE
noinst_LTLIBRARIES += liblock.la
liblock_la_CPPFLAGS = $(plugin_cppflags) $(LIBCAP_CFLAGS)
liblock_la_LIBADD = $(LIBCAP_LIBS)
liblock_la_SOURCES = \
	providers/lock/canary.c \
	providers/lock/capabilities.c \
	providers/lock/filter.c \
	providers/lock/filter.h \
	providers/lock/identity.c \
	providers/lock/idmap.c \
	providers/lock/idmap.h \
	providers/lock/inspect.c \
	providers/lock/keyring.c \
	providers/lock/landlock.c \
	providers/lock/lock.c \
	providers/lock/namespaces.c \
	providers/lock/process.c \
	providers/lock/root.c \
	providers/lock/rules.c \
	providers/lock/seccomp.c \
	providers/lock/step.h
endif
