# Providers that lie, and whether pawl-harness finds each of them out.
lying_plugins = \
	tests/plugins/lying/pawl-after-end-provider.so \
	tests/plugins/lying/pawl-brief-provider.so \
	tests/plugins/lying/pawl-brittle-provider.so \
	tests/plugins/lying/pawl-careless-provider.so \
	tests/plugins/lying/pawl-clock-provider.so \
	tests/plugins/lying/pawl-crash-provider.so \
	tests/plugins/lying/pawl-denial-provider.so \
	tests/plugins/lying/pawl-egress-provider.so \
	tests/plugins/lying/pawl-end-twice-provider.so \
	tests/plugins/lying/pawl-exit-provider.so \
	tests/plugins/lying/pawl-files-provider.so \
	tests/plugins/lying/pawl-grows-provider.so \
	tests/plugins/lying/pawl-gullible-provider.so \
	tests/plugins/lying/pawl-honest-provider.so \
	tests/plugins/lying/pawl-late-provider.so \
	tests/plugins/lying/pawl-leaves-provider.so \
	tests/plugins/lying/pawl-logs-provider.so \
	tests/plugins/lying/pawl-memory-provider.so \
	tests/plugins/lying/pawl-moves-provider.so \
	tests/plugins/lying/pawl-native-provider.so \
	tests/plugins/lying/pawl-os-files-provider.so \
	tests/plugins/lying/pawl-os-provider.so \
	tests/plugins/lying/pawl-position-provider.so \
	tests/plugins/lying/pawl-state-provider.so \
	tests/plugins/lying/pawl-stubborn-provider.so \
	tests/plugins/lying/pawl-swallow-provider.so \
	tests/plugins/lying/pawl-threads-provider.so \
	tests/plugins/lying/pawl-twice-provider.so
check_DATA += $(lying_plugins)
CLEANFILES += $(lying_plugins)
EXTRA_DIST += tests/plugins/lying

$(lying_plugins) $(escaped_plugin): abi/common.h abi/provider.h
$(lying_plugins): tests/plugins/lying/tiny.h
tests/plugins/lying/pawl-%-provider.so: tests/plugins/lying/%.c
	@$(MKDIR_P) $(@D) && chmod go-w $(@D)
	$(AM_V_CCLD)$(CC) $(AM_CPPFLAGS) -I$(top_builddir)/include/abi $(CPPFLAGS) $(AM_CFLAGS) \
	    $(CFLAGS) -fPIC -shared $(AM_LDFLAGS) $(LDFLAGS) -o $@ $<
	@chmod 755 $@

# Stages that lie.
lying_stages = \
	tests/plugins/lying/pawl-brittle-stage.so \
	tests/plugins/lying/pawl-careless-stage.so \
	tests/plugins/lying/pawl-changes-stage.so \
	tests/plugins/lying/pawl-deaf-stage.so \
	tests/plugins/lying/pawl-fragile-stage.so \
	tests/plugins/lying/pawl-grows-stage.so \
	tests/plugins/lying/pawl-honest-stage.so \
	tests/plugins/lying/pawl-leaves-stage.so \
	tests/plugins/lying/pawl-mute-stage.so \
	tests/plugins/lying/pawl-odd-status-stage.so \
	tests/plugins/lying/pawl-odd-verdict-stage.so \
	tests/plugins/lying/pawl-signals-stage.so \
	tests/plugins/lying/pawl-slow-stage.so \
	tests/plugins/lying/pawl-strict-stage.so \
	tests/plugins/lying/pawl-threads-stage.so
check_DATA += $(lying_stages)
CLEANFILES += $(lying_stages)
$(lying_stages): abi/common.h abi/stage.h tests/plugins/lying/gate.h
tests/plugins/lying/pawl-%-stage.so: tests/plugins/lying/stage-%.c
	@$(MKDIR_P) $(@D) && chmod go-w $(@D)
	$(AM_V_CCLD)$(CC) $(AM_CPPFLAGS) -I$(top_builddir)/include/abi $(CPPFLAGS) $(AM_CFLAGS) \
	    $(CFLAGS) -fPIC -shared $(AM_LDFLAGS) $(LDFLAGS) -o $@ $<
	@chmod 755 $@

# One that says that it got out of its jail.
escaped_plugin = tests/plugins/escaped/pawl-compromised-provider.so
check_DATA += $(escaped_plugin)
CLEANFILES += $(escaped_plugin)
EXTRA_DIST += tests/plugins/escaped
$(escaped_plugin): tests/plugins/escaped/compromised.c
	@$(MKDIR_P) $(@D)
	$(AM_V_CCLD)$(CC) $(AM_CPPFLAGS) -I$(top_builddir)/include/abi $(CPPFLAGS) $(AM_CFLAGS) \
	    $(CFLAGS) -fPIC -shared $(AM_LDFLAGS) $(LDFLAGS) -o $@ $<

TESTS += tests/harness/test.py
EXTRA_DIST += tests/harness/test.py

# Whether only what was verified is loaded where that is required.
check_PROGRAMS += tests/unit/verify
TESTS += tests/unit/verify
tests_unit_verify_CPPFLAGS = $(unit_cppflags)
tests_unit_verify_LDFLAGS = $(unit_ldflags)
tests_unit_verify_LDADD = $(unit_core_ldadd)

# A provider that is built outside of the tree.
dist_check_SCRIPTS += tests/plugins/vendor/check.sh
TESTS += tests/plugins/vendor/check.sh
EXTRA_DIST += tests/plugins/vendor

# The beginnings of one, as init-provider writes them.
dist_check_SCRIPTS += tests/plugins/init-provider.sh
TESTS += tests/plugins/init-provider.sh
installcheck-vendor:
	@$(AM_TESTS_ENVIRONMENT) ./run $(SHELL) $(srcdir)/tests/plugins/vendor/check.sh installed
	@$(AM_TESTS_ENVIRONMENT) ./run $(SHELL) $(srcdir)/tests/plugins/init-provider.sh installed
installcheck-local: installcheck-vendor
.PHONY: installcheck-vendor
