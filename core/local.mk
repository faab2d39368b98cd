# libpawl. Its code is also a convenience library, so that unit tests reach what is not exported.
noinst_LTLIBRARIES += libcore.la
libcore_la_CPPFLAGS = $(host_cppflags) -I$(top_srcdir) -I$(top_builddir) \
	-DPLUGIN_DIRECTORY='"$(plugindir)"'
libcore_la_LIBADD = libprogram.la libwire.la $(JSON_C_LIBS)
libcore_la_SOURCES = \
	core/budget.c \
	core/buffer.c core/buffer.h \
	core/call.c core/call.h \
	core/calls.c core/calls.h core/calls_close.c core/calls_serve.c \
	core/calls_settle.c core/calls_state.h core/calls_wake.c \
	core/cancel.c core/cancel.h \
	core/clock.h \
	core/configuration.c core/configuration.h \
	core/document.c core/document.h core/document_read.c \
	core/fields.c core/fields.h \
	core/describe.c \
	core/descriptor.h \
	core/elf.c core/elf.h \
	core/error.c core/error.h \
	core/execute.c \
	core/instance.c \
	core/json.c core/json.h \
	core/level.c \
	core/listing.c \
	core/names.c core/names.h \
	core/playback.c core/playback.h \
	core/plugin.c core/plugin.h \
	core/record.c core/record.h core/record_read.h core/record_request.c \
	core/recorder.c core/recorder.h \
	core/redact.c core/redact.h \
	core/registry.c core/registry.h \
	core/request.c core/request.h \
	core/resolve.c \
	core/result.c core/result.h \
	core/result_json.c \
	core/run.c core/run.h core/run_outcome.c core/run_services.c core/run_state.h \
	core/scan.c \
	core/serial.c core/serial.h \
	core/signature.c core/signature.h \
	core/thread.h \
	core/trust.c core/trust.h \
	core/suggestions.c core/suggestions.h \
	core/units.c \
	core/verify.c core/verify.h \
	core/version.c \
	core/workers.c core/workers.h \
	stages/common/sha256.c stages/common/sha256.h \
	stages/ring.c stages/ring.h

lib_LTLIBRARIES += libpawl.la
libpawl_la_SOURCES =
libpawl_la_LIBADD = libcore.la
libpawl_la_DEPENDENCIES = libcore.la core/libpawl.map
libpawl_la_LDFLAGS = $(AM_LDFLAGS) -version-info 0:0:0 $(NO_UNDEFINED) \
	-Wl,--version-script=$(top_srcdir)/core/libpawl.map

pkginclude_HEADERS += core/pawl.h
EXTRA_DIST += core/libpawl.map
dist_man_MANS += core/pawl.3 core/pawl-result.3 core/pawl-record.5 core/pawl-plugin.7
