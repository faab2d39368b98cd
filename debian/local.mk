# Debian packages (make deb), built from what `make dist` would hold: debian/rules says with which
# engines. They are left in deb/ of the build folder.
EXTRA_DIST += debian/changelog debian/control debian/copyright debian/libpawl-dev.install \
	debian/libpawl0.install debian/pawl.install debian/rules debian/source/format

.PHONY: deb
deb:
	@command -v dpkg-buildpackage >/dev/null && command -v dh >/dev/null || \
	    { echo 'deb: dpkg-buildpackage or dh is missing (Debian: dpkg-dev debhelper)' >&2; exit 1; }
	@rm -rf deb && $(MKDIR_P) deb
	@$(MAKE) --no-print-directory distdir distdir=deb/$(distdir)
	@cd deb/$(distdir) && env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS dpkg-buildpackage -b -us -uc
	@ls -l deb/*.deb
