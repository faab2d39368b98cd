# Other kernels and processors than this machine's, in an emulator. Not part of `make check`: each
# takes minutes, and fetches a kernel. arm64-6.1 needs a cross compiler, and builds pawl with it.
EXTRA_DIST += tests/machines/run tests/machines/init
MACHINES = amd64-6.1 amd64-5.10

.PHONY: check-machines
check-machines:
	@./run $(SHELL) $(top_srcdir)/tests/machines/run $(MACHINES)
