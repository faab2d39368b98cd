# The headers that a plugin is compiled against, and the checks that they stay as they are.
pkginclude_HEADERS += abi/common.h abi/provider.h abi/stage.h abi/wire.h

dist_check_SCRIPTS += abi/check
TESTS += abi/check
dist_doc_DATA += abi/wire.md
EXTRA_DIST += abi/layout.c abi/layout.h abi/surface.c abi/plugin-1.0.x86_64.abi core/layout.c
dist_man_MANS += abi/pawl-provider.3 abi/pawl-stage.3 abi/pawl-wire.7
