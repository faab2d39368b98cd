# The fuzz targets of providers/program; tests/fuzz/local.mk includes this file, which builds what is
# in FUZZ_TARGETS with clang and -fsanitize=fuzzer,address,undefined, never as a part of `make all`.
FUZZ_TARGETS += program_text_fuzz program_json_fuzz
program_text_fuzz_SOURCES = tests/fuzz/program_text.c $(libprogram_la_SOURCES)
program_json_fuzz_SOURCES = tests/fuzz/program_json.c $(libprogram_la_SOURCES)
EXTRA_DIST += tests/fuzz/program_text.c tests/fuzz/program_json.c
