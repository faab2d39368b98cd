# An example of a host, and whether it can be built from what is installed.
dist_check_SCRIPTS += tests/host/check.sh
TESTS += tests/host/check.sh
EXTRA_DIST += tests/host/host.c

installcheck-local:
	@$(AM_TESTS_ENVIRONMENT) ./run $(SHELL) $(srcdir)/tests/host/check.sh installed

.PHONY: print-bindir print-libdir
print-bindir:
	@echo '$(bindir)'
print-libdir:
	@echo '$(libdir)'
