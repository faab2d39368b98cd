# libpawl. Its code is also a convenience library, so that unit tests reach what is not exported.
noinst_LTLIBRARIES += libcore.la
libcore_la_CPPFLAGS = $(host_cppflags) -I$(top_srcdir) -I$(top_builddir) \
	-DPLUGIN_DIRECTORY='"$(plugindir)"'
libcore_la_LIBADD = $(JSON_C_LIBS)
libcore_la_SOURCES = \
	core/budget.c \
	core/buffer.c core/buffer.h \
	core/error.c core/error.h \
	core/level.c \
	core/request.h \
	core/units.c \
	core/version.c

lib_LTLIBRARIES += libpawl.la
libpawl_la_SOURCES =
libpawl_la_LIBADD = libcore.la
libpawl_la_DEPENDENCIES = libcore.la core/libpawl.map
libpawl_la_LDFLAGS = $(AM_LDFLAGS) -version-info 0:0:0 $(NO_UNDEFINED) \
	-Wl,--version-script=$(top_srcdir)/core/libpawl.map

pkginclude_HEADERS += core/pawl.h
EXTRA_DIST += core/libpawl.map
