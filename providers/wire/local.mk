# The frames of abi/wire.md and the JSON in them, for both sides.
noinst_LTLIBRARIES += libwire.la
libwire_la_CPPFLAGS = $(plugin_cppflags)
libwire_la_SOURCES = \
	providers/wire/base64.c \
	providers/wire/base64.h \
	providers/wire/frame.c \
	providers/wire/frame.h \
	providers/wire/json.c \
	providers/wire/json.h \
	providers/wire/text.c \
	providers/wire/text.h

check_PROGRAMS += tests/unit/wire
TESTS += tests/unit/wire
tests_unit_wire_SOURCES = tests/unit/wire.c
tests_unit_wire_CPPFLAGS = $(unit_cppflags)
tests_unit_wire_LDFLAGS = $(unit_ldflags)
tests_unit_wire_LDADD = $(unit_ldadd) libwire.la

fuzz_programs += tests/fuzz/wire
EXTRA_PROGRAMS += tests/fuzz/wire
tests_fuzz_wire_CPPFLAGS = $(plugin_cppflags)
tests_fuzz_wire_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_wire_LDADD = libwire.la
