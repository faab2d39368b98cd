# The provider confine: an engine behind the kernel's walls. What the child does is in
# providers/lock.
if HAVE_CONFINE
plugin_LTLIBRARIES += pawl-confine-provider.la
pawl_confine_provider_la_CPPFLAGS = $(wire_cppflags)
pawl_confine_provider_la_LDFLAGS = $(plugin_ldflags)
pawl_confine_provider_la_LIBADD = libparent.la
pawl_confine_provider_la_SOURCES = \
	providers/confine/confine.c \
	providers/confine/options.c providers/confine/options.h \
	providers/confine/proof.c providers/confine/proof.h
endif
