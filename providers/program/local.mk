# What JavaScript engines share, for linking into each engine's plugin and into libpawl. Plain C11:
# it includes nothing else of pawl's.
noinst_LTLIBRARIES += libprogram.la
libprogram_la_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)
libprogram_la_SOURCES = \
	providers/program/await.c \
	providers/program/await.h \
	providers/program/bignum.c \
	providers/program/bignum.h \
	providers/program/brackets.c \
	providers/program/brackets.h \
	providers/program/buffer.c \
	providers/program/buffer.h \
	providers/program/context.c \
	providers/program/context.h \
	providers/program/error.h \
	providers/program/es5.c \
	providers/program/es5.h \
	providers/program/fence.c \
	providers/program/fence.h \
	providers/program/json_text.c \
	providers/program/json_text.h \
	providers/program/modules.c \
	providers/program/modules.h \
	providers/program/nearest.c \
	providers/program/nearest.h \
	providers/program/number.c \
	providers/program/number.h \
	providers/program/path.c \
	providers/program/path.h \
	providers/program/plain.h \
	providers/program/prepare.c \
	providers/program/prepare.h \
	providers/program/program.h \
	providers/program/scan.c \
	providers/program/scan.h \
	providers/program/shape.c \
	providers/program/shape.h \
	providers/program/suggest.c \
	providers/program/suggest.h \
	providers/program/token.c \
	providers/program/token.h \
	providers/program/typescript.c \
	providers/program/typescript.h \
	providers/program/unawaited.c \
	providers/program/unawaited.h \
	providers/program/utf8.c \
	providers/program/utf8.h \
	providers/program/word.c \
	providers/program/word.h
