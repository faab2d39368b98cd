# The test of providers/program; tests/unit/local.mk includes this file.
check_PROGRAMS += tests/unit/program
tests_unit_program_CPPFLAGS = $(unit_cppflags)
tests_unit_program_LDFLAGS = $(unit_ldflags) -Wl,--wrap=malloc -Wl,--wrap=realloc
tests_unit_program_LDADD = $(unit_ldadd) libprogram.la -lm
tests_unit_program_SOURCES = \
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
TESTS += tests/unit/program
