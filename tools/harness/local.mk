# pawl-harness. It contains the library's code rather than being linked with libpawl, so that a
# plugin which needs a symbol of the host cannot be loaded in it.
bin_PROGRAMS += pawl-harness
pawl_harness_CPPFLAGS = $(host_cppflags) -I$(top_srcdir) $(JSON_C_CFLAGS) \
	-DPROBES_DIRECTORY='"$(probesdir)"'
pawl_harness_CFLAGS = $(program_cflags)
pawl_harness_LDFLAGS = $(program_ldflags)
pawl_harness_LDADD = libcore.la $(JSON_C_LIBS) -lpthread
pawl_harness_SOURCES = \
	tools/harness/abi.c \
	tools/harness/call.c \
	tests/probes/probe.c tests/probes/probe.h \
	tests/probes/probes.c \
	tests/wire/forgery.c tests/wire/forgery.h \
	tools/harness/check.c tools/harness/check.h \
	tools/harness/claim.c \
	tools/harness/end.c \
	tools/harness/entry.c tools/harness/entry.h \
	tools/harness/escape.c \
	tools/harness/forged.c \
	tools/harness/gate.c tools/harness/gate.h \
	tools/harness/held.c tools/harness/held.h \
	tools/harness/hostile.c \
	tools/harness/javascript.c \
	tools/harness/main.c \
	tools/harness/odd.c \
	tools/harness/programs.c tools/harness/programs.h \
	tools/harness/record.c tools/harness/record.h \
	tools/harness/run.c \
	tools/harness/spy.c tools/harness/spy.h \
	tools/harness/stage.c \
	tools/harness/subject.c tools/harness/subject.h \
	tools/harness/tools.c tools/harness/tools.h \
	tools/harness/trial.c tools/harness/trial.h \
	tools/harness/value.c \
	tools/harness/values.c tools/harness/values.h
dist_man_MANS += tools/harness/pawl-harness.1

# Engines that were taken over: one executes native code for whoever asks, one forges the frames of its
# child. An isolating provider is given them to hold. They are installed where no plugins are looked for.
probesdir = $(pkglibexecdir)/probes
probes_DATA = tools/harness/pawl-compromised-provider.so tools/harness/pawl-forging-provider.so
CLEANFILES += $(probes_DATA)
compromised_sources = \
	$(top_srcdir)/tests/plugins/compromised-engine.c \
	$(top_srcdir)/tests/probes/probe.c \
	$(top_srcdir)/tests/probes/probes.c
forging_sources = \
	$(top_srcdir)/tests/plugins/forging-engine.c \
	$(top_srcdir)/tests/wire/forgery.c
tools/harness/pawl-compromised-provider.so: $(compromised_sources) $(top_srcdir)/tests/probes/probe.h
tools/harness/pawl-forging-provider.so: $(forging_sources) $(top_srcdir)/tests/wire/forgery.h
$(probes_DATA): abi/common.h abi/provider.h
	@$(MKDIR_P) $(@D)
	$(AM_V_CCLD)$(CC) $(plugin_cppflags) $(CPPFLAGS) $(AM_CFLAGS) $(CFLAGS) -fPIC -shared \
	    $(AM_LDFLAGS) $(LDFLAGS) -o $@ $(filter %.c,$^) -lpthread
EXTRA_DIST += tests/plugins/forging-engine.c
