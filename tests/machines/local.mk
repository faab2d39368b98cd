# Other kernels than this machine's, in an emulator. Not part of `make check`: it takes minutes, and
# fetches kernels.
EXTRA_DIST += tests/machines/run tests/machines/init
.PHONY: check-machines
if HAVE_CONFINE
machine_programs = tests/unit/confine tests/unit/confine_command tests/unit/confine_probes \
	tests/unit/lock_filter tests/unit/lock_walls tests/unit/subprocess_forged \
	tests/wire/liar tests/wire/forge tests/plugins/pawl-stub-provider.la \
	tests/plugins/pawl-compromised-provider.la
MACHINES = amd64-6.1 amd64-5.10

check-machines: all
	@$(MAKE) --no-print-directory -s $(machine_programs)
	@./run $(SHELL) $(top_srcdir)/tests/machines/run $(MACHINES)
endif
