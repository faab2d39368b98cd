# The headers that a plugin is compiled against, and the checks that they stay as they are.
pkginclude_HEADERS += abi/common.h abi/provider.h abi/stage.h
