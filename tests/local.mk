# How tests are run, and which there are beside the unit tests.
#
# Every test is a program or a script that prints TAP; it is started through ./run. `make count` adds
# up what the last `make check` found.
TEST_EXTENSIONS = .sh
LOG_COMPILER = $(top_srcdir)/tests/limit.py $(TEST_TIMEOUT) ./run
SH_LOG_COMPILER = $(LOG_COMPILER) $(SHELL)
AM_TESTS_ENVIRONMENT = CC='$(CC)' CXX='$(CXX)' SANITIZE='$(SANITIZE_CFLAGS)'; \
	export CC CXX SANITIZE;
# No test takes long; one that never ends is a failure like any other.
TEST_TIMEOUT = 600
TAP_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh --comments
LOG_DRIVER = $(TAP_DRIVER)
SH_LOG_DRIVER = $(TAP_DRIVER)

EXTRA_DIST += tests/count tests/limit.py tests/lint tests/tap.sh tests/valgrind.supp

dist_check_SCRIPTS += tests/install
TESTS += tests/install

# Plugins, most of them with one thing wrong each, that tests/unit/plugin.c has the library refuse.
bad_plugins = \
	tests/plugins/bad/both-kinds.so \
	tests/plugins/bad/create-flood.so \
	tests/plugins/bad/create-silent.so \
	tests/plugins/bad/create-status.so \
	tests/plugins/bad/create-words.so \
	tests/plugins/bad/descriptor-major.so \
	tests/plugins/bad/egress-range.so \
	tests/plugins/bad/good.so \
	tests/plugins/bad/isolator.so \
	tests/plugins/bad/languages-empty.so \
	tests/plugins/bad/languages-null.so \
	tests/plugins/bad/level-range.so \
	tests/plugins/bad/newer.so \
	tests/plugins/bad/no-create.so \
	tests/plugins/bad/no-descriptor.so \
	tests/plugins/bad/no-destroy.so \
	tests/plugins/bad/no-entry.so \
	tests/plugins/bad/no-languages.so \
	tests/plugins/bad/no-level.so \
	tests/plugins/bad/no-name.so \
	tests/plugins/bad/no-run.so \
	tests/plugins/bad/other-kind.so \
	tests/plugins/bad/other-major.so \
	tests/plugins/bad/other-name.so \
	tests/plugins/bad/stage-good.so \
	tests/plugins/bad/stage-no-judge.so \
	tests/plugins/bad/stage-requires.so \
	tests/plugins/bad/stage-small.so \
	tests/plugins/bad/too-large.so \
	tests/plugins/bad/too-small.so \
	tests/plugins/bad/two-entries.so \
	tests/plugins/bad/undefined.so \
	tests/plugins/bad/unknown-requires.so \
	tests/plugins/bad/unknown-threads.so \
	tests/plugins/bad/wrong-magic.so
check_DATA = $(bad_plugins)
CLEANFILES += $(bad_plugins)
EXTRA_DIST += $(bad_plugins:.so=.c) tests/plugins/bad/good.h

$(bad_plugins): tests/plugins/bad/good.h tests/plugins/bad/stage-good.c \
	abi/common.h abi/provider.h abi/stage.h
tests/plugins/bad/%.so: tests/plugins/bad/%.c
	@$(MKDIR_P) $(@D)
	$(AM_V_CCLD)$(CC) $(AM_CPPFLAGS) -I$(top_builddir)/include/abi $(CPPFLAGS) $(AM_CFLAGS) \
	    $(CFLAGS) -fPIC -shared $(AM_LDFLAGS) $(LDFLAGS) -o $@ $<

# `make check` with other eyes: each of these builds anew in a folder of its own.
variant = $(MKDIR_P) $@ && cd $@ && \
	{ test -f config.status || $(abs_top_srcdir)/configure --quiet $(variant_configure); } && \
	$(MAKE) --no-print-directory -s check

.PHONY: check-asan check-tsan check-clang check-valgrind bench fuzz lint
check-asan: variant_configure = --enable-sanitizers=address,undefined --enable-werror
check-tsan: variant_configure = --enable-sanitizers=thread --enable-werror
check-clang: variant_configure = CC=clang CXX=clang++ --enable-werror
check-asan check-tsan check-clang:
	@$(variant)

check-valgrind:
	@test -n "$(VALGRIND)" || { echo "valgrind is missing (Debian: valgrind)" >&2; exit 1; }
	@VALGRIND=1 $(MAKE) --no-print-directory check

# Measurements. They are compared within one run, never with a stored number.
bench: all $(bench_programs)
	@for program in $(bench_programs); do ./run ./$$program || exit 1; done

# Fuzzers (libFuzzer, so clang): each of them for FUZZ_SECONDS. They begin with what stands in a
# folder NAME.corpus beside the source and, for tests/fuzz/elf, with the plugins of the build. What
# they find stays in fuzz/tests/fuzz/NAME.found/, and a finding ends the target with an error.
FUZZ_SECONDS = 30
fuzz_ldflags = $(AM_LDFLAGS) -fsanitize=fuzzer

fuzz_programs += tests/fuzz/elf tests/fuzz/signature
fuzz_programs += tests/fuzz/program_json tests/fuzz/program_text
EXTRA_PROGRAMS += tests/fuzz/elf tests/fuzz/signature
EXTRA_PROGRAMS += tests/fuzz/program_json tests/fuzz/program_text
tests_fuzz_elf_CPPFLAGS = $(host_cppflags) -I$(top_srcdir)
tests_fuzz_elf_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_elf_LDADD = libcore.la
tests_fuzz_signature_CPPFLAGS = $(host_cppflags) -I$(top_srcdir)
tests_fuzz_signature_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_signature_LDADD = libcore.la
EXTRA_DIST += tests/fuzz/signature.corpus
tests_fuzz_program_json_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)
tests_fuzz_program_json_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_program_json_LDADD = libprogram.la -lm
tests_fuzz_program_text_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)
tests_fuzz_program_text_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_program_text_LDADD = libprogram.la -lm

fuzz:
	@$(MKDIR_P) $@ && cd $@ && \
	{ test -f config.status || \
	  $(abs_top_srcdir)/configure --quiet CC=clang CXX=clang++ --enable-fuzzers; } && \
	$(MAKE) --no-print-directory -s run-fuzzers FUZZ_SECONDS=$(FUZZ_SECONDS)

run-fuzzers: $(fuzz_programs) $(bad_plugins)
	@$(MKDIR_P) tests/fuzz/elf.corpus && cp $(bad_plugins) tests/fuzz/elf.corpus/
	@status=0; for program in $(fuzz_programs); do \
	    echo "$$program: $(FUZZ_SECONDS) seconds"; \
	    $(MKDIR_P) $$program.found || exit 1; \
	    set --; \
	    for corpus in $(top_srcdir)/$$program.corpus $$program.corpus; do \
	        test ! -d $$corpus || set -- "$$@" $$corpus; \
	    done; \
	    ./run ./$$program -max_total_time=$(FUZZ_SECONDS) -verbosity=0 -timeout=10 \
	        -artifact_prefix=$$program.found/ $$program.found "$$@" || status=1; \
	done; exit $$status

lint:
	@cd $(top_srcdir) && $(SHELL) tests/lint $(abs_top_builddir)

# The last line of `./bootstrap check`.
.PHONY: count
count:
	@$(SHELL) $(top_srcdir)/tests/count $(TEST_LOGS)
