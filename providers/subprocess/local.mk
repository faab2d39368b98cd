# The provider subprocess: an engine, or a command, in a process of its own.
plugin_LTLIBRARIES += pawl-subprocess-provider.la
pawl_subprocess_provider_la_CPPFLAGS = $(wire_cppflags)
pawl_subprocess_provider_la_LDFLAGS = $(plugin_ldflags)
pawl_subprocess_provider_la_LIBADD = libparent.la
pawl_subprocess_provider_la_SOURCES = providers/subprocess/subprocess.c
