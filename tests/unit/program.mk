# The test of providers/program; tests/unit/local.mk includes this file.
check_PROGRAMS += program_test
program_test_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)
program_test_LDADD = libprogram.la -lcunit -lm
program_test_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=malloc -Wl,--wrap=realloc
program_test_SOURCES = \
	tests/unit/program.c \
	tests/unit/program.h \
	tests/unit/program_await.c \
	tests/unit/program_brackets.c \
	tests/unit/program_es5.c \
	tests/unit/program_json_text.c \
	tests/unit/program_memory.c \
	tests/unit/program_modules.c \
	tests/unit/program_number.c \
	tests/unit/program_path.c \
	tests/unit/program_prepare.c \
	tests/unit/program_suggest.c \
	tests/unit/program_token.c \
	tests/unit/program_typescript.c
TESTS += program_test
