# The provider mujs: libmujs in the caller's process.
if HAVE_MUJS
noinst_LTLIBRARIES += libmujsprovider.la
libmujsprovider_la_CPPFLAGS = $(plugin_cppflags) -I$(top_builddir) $(MUJS_CFLAGS)
libmujsprovider_la_LIBADD = libpreempt.la libprogram.la $(MUJS_LIBS) -lm
libmujsprovider_la_SOURCES = \
	providers/mujs/arena.c \
	providers/mujs/arena.h \
	providers/mujs/array.c \
	providers/mujs/bindings.c \
	providers/mujs/bindings.h \
	providers/mujs/buffer.c \
	providers/mujs/buffer.h \
	providers/mujs/builtins.c \
	providers/mujs/builtins.h \
	providers/mujs/console.c \
	providers/mujs/date.c \
	providers/mujs/error.c \
	providers/mujs/explain.c \
	providers/mujs/explain.h \
	providers/mujs/flat.c \
	providers/mujs/flat.h \
	providers/mujs/forin.c \
	providers/mujs/forin.h \
	providers/mujs/function.c \
	providers/mujs/host.c \
	providers/mujs/host.h \
	providers/mujs/json.c \
	providers/mujs/json.h \
	providers/mujs/json_read.c \
	providers/mujs/json_write.c \
	providers/mujs/keys.c \
	providers/mujs/keys.h \
	providers/mujs/libmujs.h \
	providers/mujs/number.c \
	providers/mujs/object.c \
	providers/mujs/position.c \
	providers/mujs/position.h \
	providers/mujs/program.c \
	providers/mujs/program.h \
	providers/mujs/provider.c \
	providers/mujs/sort.c \
	providers/mujs/sort.h \
	providers/mujs/stack.c \
	providers/mujs/stack.h \
	providers/mujs/string.c \
	providers/mujs/text.c \
	providers/mujs/text.h \
	providers/mujs/uri.c \
	providers/mujs/vm.c \
	providers/mujs/vm.h

$(libmujsprovider_la_OBJECTS): providers/mujs/polyfills.h
providers/mujs/polyfills.h: providers/mujs/polyfills.js
	$(AM_V_GEN)$(MKDIR_P) providers/mujs && { \
	    echo '/* Made from polyfills.js. */' && \
	    echo 'static const char polyfills[] =' && \
	    $(SED) 's/\\/\\\\/g; s/"/\\"/g; s/.*/    "&\\n"/' $(srcdir)/providers/mujs/polyfills.js && \
	    echo '    "";'; } >$@.new && mv $@.new $@
CLEANFILES += providers/mujs/polyfills.h

plugin_LTLIBRARIES += pawl-mujs-provider.la
pawl_mujs_provider_la_SOURCES =
pawl_mujs_provider_la_LDFLAGS = $(plugin_ldflags)
pawl_mujs_provider_la_LIBADD = libmujsprovider.la

# Tests: the provider without the library.
mujs_test_sources = tests/unit/fakehost.c tests/unit/fakehost.h tests/unit/signals.h
mujs_test_cppflags = $(unit_cppflags) $(MUJS_CFLAGS)
mujs_test_ldadd = $(unit_ldadd) libmujsprovider.la

check_PROGRAMS += tests/unit/mujs tests/unit/mujs_arena tests/unit/mujs_hostile
TESTS += tests/unit/mujs tests/unit/mujs_arena tests/unit/mujs_hostile
tests_unit_mujs_SOURCES = tests/unit/mujs.c $(mujs_test_sources)
tests_unit_mujs_CPPFLAGS = $(mujs_test_cppflags)
tests_unit_mujs_LDFLAGS = $(unit_ldflags) \
	-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=mmap
tests_unit_mujs_LDADD = $(mujs_test_ldadd)
tests_unit_mujs_arena_SOURCES = tests/unit/mujs_arena.c
tests_unit_mujs_arena_CPPFLAGS = $(mujs_test_cppflags)
tests_unit_mujs_arena_LDFLAGS = $(unit_ldflags)
tests_unit_mujs_arena_LDADD = $(mujs_test_ldadd)
tests_unit_mujs_hostile_SOURCES = tests/unit/mujs_hostile.c $(mujs_test_sources)
tests_unit_mujs_hostile_CPPFLAGS = $(mujs_test_cppflags)
tests_unit_mujs_hostile_LDFLAGS = $(unit_ldflags)
tests_unit_mujs_hostile_LDADD = $(mujs_test_ldadd)

EXTRA_PROGRAMS += providers/mujs/bench
bench_programs += providers/mujs/bench
providers_mujs_bench_SOURCES = providers/mujs/bench.c
providers_mujs_bench_CPPFLAGS = $(host_cppflags) $(MUJS_CFLAGS)
providers_mujs_bench_LDFLAGS = $(AM_LDFLAGS) -no-install
providers_mujs_bench_LDADD = libpawl.la libmujsprovider.la

dist_man_MANS += providers/mujs/pawl-mujs-provider.7
endif
EXTRA_DIST += providers/mujs/polyfills.js
