# pawl-child, the program that isolating providers start. It is loaded for every run, so that it
# links little.
wire_cppflags = $(plugin_cppflags) -DPACKAGE_VERSION='"$(PACKAGE_VERSION)"'

noinst_LTLIBRARIES += libwire.la
libwire_la_CPPFLAGS = $(wire_cppflags)
libwire_la_SOURCES = \
	providers/wire/frame.c providers/wire/frame.h \
	providers/wire/json.c providers/wire/json.h \
	providers/wire/text.c providers/wire/text.h

pkglibexec_PROGRAMS += pawl-child
pawl_child_CPPFLAGS = $(wire_cppflags)
pawl_child_CFLAGS = $(program_cflags)
pawl_child_LDFLAGS = $(program_ldflags)
pawl_child_LDADD = libwire.la -ldl
pawl_child_SOURCES = \
	providers/child/channel.c providers/child/channel.h \
	providers/child/engine.c providers/child/engine.h \
	providers/child/limits.c providers/child/limits.h \
	providers/child/lock.h \
	providers/child/main.c \
	providers/child/program.c providers/child/program.h \
	providers/child/run.c providers/child/run.h
if HAVE_CONFINE
pawl_child_LDADD += liblock.la
else
pawl_child_SOURCES += providers/child/lock.c
endif
EXTRA_DIST += providers/child/lock.c
