# How tests are run, and which there are beside the unit tests.
#
# Every test is a program or a script that prints TAP; it is started through ./run. `make count` adds
# up what the last `make check` found.
TEST_EXTENSIONS = .sh
LOG_COMPILER = ./run
SH_LOG_COMPILER = ./run $(SHELL)
TAP_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh --comments
LOG_DRIVER = $(TAP_DRIVER)
SH_LOG_DRIVER = $(TAP_DRIVER)

EXTRA_DIST += tests/count tests/valgrind.supp

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

# Each fuzzer for FUZZ_SECONDS. What it finds stays in fuzz/.
FUZZ_SECONDS = 30
fuzz:
	@$(MKDIR_P) $@ && cd $@ && \
	{ test -f config.status || \
	  $(abs_top_srcdir)/configure --quiet CC=clang CXX=clang++ --enable-fuzzers; } && \
	$(MAKE) --no-print-directory -s run-fuzzers FUZZ_SECONDS=$(FUZZ_SECONDS)

run-fuzzers: all $(fuzz_programs)
	@for program in $(fuzz_programs); do \
	    echo "$$program: $(FUZZ_SECONDS) seconds"; \
	    corpus=$(top_srcdir)/$$program.corpus; \
	    mkdir -p $$program.found && \
	    ./run ./$$program -max_total_time=$(FUZZ_SECONDS) -print_final_stats=0 -verbosity=0 \
	        -artifact_prefix=$$program.found/ $$program.found `test -d $$corpus && echo $$corpus` \
	        || exit 1; \
	done

lint:
	@cd $(top_srcdir) && $(SHELL) tests/lint $(abs_top_builddir)

# The last line of `./bootstrap check`.
.PHONY: count
count:
	@$(SHELL) $(top_srcdir)/tests/count $(TEST_LOGS)
