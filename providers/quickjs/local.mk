# The quickjs provider: the engine, translated from WebAssembly and compiled once (fetch, compile),
# and the code around it.
EXTRA_DIST += providers/quickjs/fetch providers/quickjs/compile providers/quickjs/translate.mjs \
	providers/quickjs/bundle.mjs providers/quickjs/packages providers/quickjs/wasm-access.h $(quickjs_prelude) \
	providers/quickjs/prelude/embed providers/quickjs/engine.ld providers/quickjs/train.c \
	providers/quickjs/train.js
EXTRA_DIST += tests/differential/test.py tests/differential/generate.py tests/differential/node.mjs
EXTRA_DIST += tests/test262/run.py tests/test262/suite.py tests/test262/reference.mjs

# In the order in which they are evaluated.
quickjs_prelude = \
	providers/quickjs/prelude/base.js \
	providers/quickjs/prelude/console.js \
	providers/quickjs/prelude/text.js \
	providers/quickjs/prelude/url.js \
	providers/quickjs/prelude/clone.js \
	providers/quickjs/prelude/intl.js \
	providers/quickjs/prelude/collate.js \
	providers/quickjs/prelude/atomics.js

if HAVE_QUICKJS
quickjs_cppflags = $(plugin_cppflags) -I$(top_srcdir)/providers/quickjs \
	-I$(top_builddir)/providers/quickjs

# Everything but the plugin's entry and the template, which is made with this.
noinst_LTLIBRARIES += libquickjsengine.la
libquickjsengine_la_CPPFLAGS = $(quickjs_cppflags)
libquickjsengine_la_LIBADD = providers/quickjs/engine-object.lo libprogram.la libpreempt.la -lm
libquickjsengine_la_DEPENDENCIES = providers/quickjs/engine-object.lo libprogram.la libpreempt.la
libquickjsengine_la_SOURCES = \
	providers/quickjs/box.c providers/quickjs/box.h \
	providers/quickjs/engine.c providers/quickjs/engine.h \
	providers/quickjs/execution.c providers/quickjs/execution.h \
	providers/quickjs/failure.c providers/quickjs/failure.h \
	providers/quickjs/host.c providers/quickjs/host.h \
	providers/quickjs/image.c providers/quickjs/image.h \
	providers/quickjs/json.c providers/quickjs/json.h \
	providers/quickjs/place.c providers/quickjs/place.h \
	providers/quickjs/prepared.c providers/quickjs/prepared.h \
	providers/quickjs/suspended.c providers/quickjs/suspended.h \
	providers/quickjs/syntax.c providers/quickjs/syntax.h \
	providers/quickjs/tokens.c providers/quickjs/tokens.h \
	providers/quickjs/typescript.c providers/quickjs/typescript.h \
	providers/quickjs/vm.c providers/quickjs/vm.h \
	providers/quickjs/wasm-rt.h
nodist_libquickjsengine_la_SOURCES = $(quickjs_generated)
quickjs_generated = providers/quickjs/prelude.h providers/quickjs/prepared-key.h \
	providers/quickjs/qjs.h providers/quickjs/sucrase.h
$(libquickjsengine_la_OBJECTS) $(libquickjsprovider_la_OBJECTS) \
$(providers_quickjs_prepare_OBJECTS) $(tests_unit_quickjs_prepared_OBJECTS) \
$(tests_bench_quickjs_OBJECTS): $(quickjs_generated)

# As a library of its own for the tests, which reach the provider without loading it.
noinst_LTLIBRARIES += libquickjsprovider.la
libquickjsprovider_la_CPPFLAGS = $(quickjs_cppflags)
libquickjsprovider_la_LIBADD = libquickjsengine.la
libquickjsprovider_la_SOURCES = providers/quickjs/plugin.c providers/quickjs/embedded.c
# By a variable, or automake takes it for the whole rule.
quickjs_embedded = providers/quickjs/libquickjsprovider_la-embedded.lo
$(quickjs_embedded): providers/quickjs/prepared.bin

EXTRA_PROGRAMS += providers/quickjs/prepare
providers_quickjs_prepare_SOURCES = providers/quickjs/prepare.c
providers_quickjs_prepare_CPPFLAGS = $(quickjs_cppflags)
providers_quickjs_prepare_LDADD = libquickjsengine.la

# What the template depends on: the engine, the prelude, and the code that puts them together.
providers/quickjs/prepared-key.h: providers/quickjs/quickjs.wasm providers/quickjs/prelude.h \
		providers/quickjs/sucrase.h $(quickjs_template_sources)
	$(AM_V_GEN)key=`cat $^ | sha256sum | cut -c 1-64` && \
	printf '/* Made by make. */\n#define PREPARED_KEY "%s"\n' "$$key" >$@
quickjs_template_sources = providers/quickjs/box.h providers/quickjs/image.h providers/quickjs/engine.h \
	providers/quickjs/engine.c providers/quickjs/host.c providers/quickjs/json.h \
	providers/quickjs/vm.h providers/quickjs/vm.c providers/quickjs/prepared.c \
	providers/quickjs/execution.h providers/quickjs/suspended.c

# A program for another machine cannot be run here: the plugin makes the template itself then.
providers/quickjs/prepared.bin: providers/quickjs/prepare$(EXEEXT)
	$(AM_V_GEN)if test '$(build)' = '$(host)'; then ./providers/quickjs/prepare$(EXEEXT) $@.new; \
	else : >$@.new; fi && mv $@.new $@

providers/quickjs/sucrase.h: $(srcdir)/providers/quickjs/fetch $(srcdir)/providers/quickjs/bundle.mjs \
		$(srcdir)/providers/quickjs/prelude/embed
	$(AM_V_GEN)$(MKDIR_P) $(@D) && \
	$(SHELL) $(srcdir)/providers/quickjs/fetch sucrase $(@D)/sucrase && \
	$(NODE) $(srcdir)/providers/quickjs/bundle.mjs $(@D)/sucrase $(@D)/sucrase.js && \
	$(SHELL) $(srcdir)/providers/quickjs/prelude/embed sucrase $(@D)/sucrase.js >$@.new && mv $@.new $@

providers/quickjs/prelude.h: $(quickjs_prelude) providers/quickjs/prelude/embed
	$(AM_V_GEN)$(MKDIR_P) $(@D) && cd $(srcdir) && \
	$(SHELL) providers/quickjs/prelude/embed preludes $(quickjs_prelude) >$(abs_builddir)/$@.new && \
	mv $(abs_builddir)/$@.new $(abs_builddir)/$@

providers/quickjs/quickjs.wasm: $(srcdir)/providers/quickjs/fetch
	$(AM_V_GEN)$(SHELL) $(srcdir)/providers/quickjs/fetch quickjs-wasi $@

# The translated code is not compiled with the flags of the code around it: warnings say nothing
# there, it looks at its own stack, and sanitizers would only see checked accesses to one array.
QUICKJS_CFLAGS = -std=gnu11 -O3 -fvisibility=hidden -fno-stack-protector
providers/quickjs/qjs.h: providers/quickjs/engine-object.lo
providers/quickjs/engine-object.lo: providers/quickjs/quickjs.wasm \
		$(srcdir)/providers/quickjs/compile $(srcdir)/providers/quickjs/translate.mjs \
		$(srcdir)/providers/quickjs/wasm-rt.h $(srcdir)/providers/quickjs/wasm-access.h \
		$(srcdir)/providers/quickjs/box.h \
		$(srcdir)/providers/quickjs/engine.ld $(srcdir)/providers/quickjs/train.c \
		$(srcdir)/providers/quickjs/train.js
	$(AM_V_GEN)$(MKDIR_P) $(@D)/.libs && $(SHELL) $(srcdir)/providers/quickjs/compile \
	    $(srcdir)/providers/quickjs providers/quickjs/quickjs.wasm \
	    $(@D)/.libs/engine-object.o providers/quickjs/qjs.h $(CC) $(QUICKJS_CFLAGS)
	$(AM_V_at)printf '%s\n' '# $@ - a libtool object file' "# Generated by libtool" \
	    "pic_object='.libs/engine-object.o'" "non_pic_object=none" >$@

plugin_LTLIBRARIES += pawl-quickjs-provider.la
pawl_quickjs_provider_la_SOURCES =
pawl_quickjs_provider_la_LDFLAGS = $(plugin_ldflags)
pawl_quickjs_provider_la_LIBADD = libquickjsprovider.la

check_PROGRAMS += tests/unit/quickjs
TESTS += tests/unit/quickjs
tests_unit_quickjs_SOURCES = tests/unit/quickjs.c tests/unit/fakehost.c tests/unit/fakehost.h
tests_unit_quickjs_CPPFLAGS = $(unit_cppflags)
tests_unit_quickjs_LDFLAGS = $(unit_ldflags) \
	-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=mmap
tests_unit_quickjs_LDADD = $(unit_ldadd) libquickjsprovider.la

check_PROGRAMS += tests/unit/quickjs_prepared
TESTS += tests/unit/quickjs_prepared
tests_unit_quickjs_prepared_CPPFLAGS = $(unit_cppflags) $(quickjs_cppflags)
tests_unit_quickjs_prepared_LDFLAGS = $(unit_ldflags)
tests_unit_quickjs_prepared_LDADD = $(unit_ldadd) libquickjsprovider.la

# Random programs, compared with node.
check_PROGRAMS += tests/differential/runner
tests_differential_runner_CPPFLAGS = $(host_cppflags)
tests_differential_runner_LDFLAGS = $(AM_LDFLAGS) -no-install
tests_differential_runner_LDADD = libpawl.la
TESTS += tests/differential/test.py

# The test262 suite, which is not in the tree: TEST262=DIR is a checkout of tc39/test262, or
# js/src/tests/test262 of SpiderMonkey's source. TEST262_ONLY=built-ins/Map runs a part.
test262: all tests/differential/runner
	@test -n "$(TEST262)" || { echo "make test262 TEST262=DIR: which suite?" >&2; exit 2; }
	@./run python3 $(srcdir)/tests/test262/run.py --reference "$(TEST262)" $(TEST262_ONLY)

# What it costs (make bench), and 100,000 runs that must not leave anything behind (make soak-quickjs).
bench_programs += tests/bench/quickjs
EXTRA_PROGRAMS += tests/bench/quickjs
tests_bench_quickjs_CPPFLAGS = $(host_cppflags) -I$(top_srcdir) -I$(top_srcdir)/providers/quickjs \
	-I$(top_builddir)/providers/quickjs
tests_bench_quickjs_LDFLAGS = $(AM_LDFLAGS) -no-install
tests_bench_quickjs_LDADD = libpawl.la libquickjsengine.la -lm
if HAVE_MUJS
tests_bench_quickjs_CPPFLAGS += -DBENCH_MUJS $(MUJS_CFLAGS)
tests_bench_quickjs_LDADD += $(MUJS_LIBS)
endif
soak-quickjs: all tests/bench/quickjs
	@./run ./tests/bench/quickjs soak

dist_man_MANS += providers/quickjs/pawl-quickjs-provider.7

CLEANFILES += providers/quickjs/prelude.h providers/quickjs/qjs.h \
	providers/quickjs/engine-object.lo providers/quickjs/.libs/engine-object.o \
	providers/quickjs/prepared-key.h providers/quickjs/prepared.bin \
	providers/quickjs/quickjs.wasm providers/quickjs/sucrase.h providers/quickjs/sucrase.js
endif
.PHONY: soak-quickjs test262
