# Plugins of released versions of the interface, and whether they work in this library.
dist_check_SCRIPTS += tests/plugins/old/check.sh
TESTS += tests/plugins/old/check.sh
EXTRA_DIST += tests/plugins/old

# Only until the interface is released (README.md there). Its version, and this machine's name:
old_plugins = $(srcdir)/tests/plugins/old/1.0.$$(uname -m)
.PHONY: old-plugins
old-plugins: all
	@test -z '$(SANITIZE_CFLAGS)' || { echo 'old-plugins: not with sanitizers' >&2; exit 1; }
	@$(MKDIR_P) $(old_plugins)
	@for plugin in mujs-provider subprocess-provider confine-provider allow-stage; do \
	    strip --strip-unneeded -R .comment -o $(old_plugins)/pawl-$$plugin.so \
	        plugins/pawl-$$plugin.so || exit 1; \
	done
	@ls -l $(old_plugins)
