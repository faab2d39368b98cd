# pawl, the command line. It uses libpawl as any host does; core/document, core/fields and
# core/redact are texts' code that needs nothing of the library's insides.
noinst_LTLIBRARIES += libpawltool.la
libpawltool_la_CPPFLAGS = $(host_cppflags) -I$(top_srcdir) $(JSON_C_CFLAGS)
libpawltool_la_CFLAGS = $(program_cflags)
libpawltool_la_LIBADD = $(JSON_C_LIBS) -lpthread
libpawltool_la_SOURCES = \
	core/document.c core/document.h core/document_read.c \
	core/fields.c core/fields.h \
	core/redact.c core/redact.h \
	tools/pawl/check_config.c \
	tools/pawl/command.c tools/pawl/command.h \
	tools/pawl/commands.h \
	tools/pawl/discover.c tools/pawl/discover.h \
	tools/pawl/doctor.c \
	tools/pawl/init_provider.c \
	tools/pawl/list.c \
	tools/pawl/listing.c tools/pawl/listing.h \
	tools/pawl/options.c tools/pawl/options.h \
	tools/pawl/process.c tools/pawl/process.h \
	tools/pawl/recordfile.c tools/pawl/recordfile.h \
	tools/pawl/render.c tools/pawl/render.h \
	tools/pawl/report.c tools/pawl/report.h \
	tools/pawl/resolve.c \
	tools/pawl/run.c \
	tools/pawl/setup.c tools/pawl/setup.h \
	tools/pawl/terminal.c tools/pawl/terminal.h \
	tools/pawl/toolsfile.c tools/pawl/toolsfile.h \
	tools/pawl/trial.c tools/pawl/trial.h \
	tools/pawl/trials.c

# What init-provider writes, as C strings.
skeleton = Makefile README.md json.c json.h programs.json provider.c
$(libpawltool_la_OBJECTS): tools/pawl/skeleton.h
tools/pawl/skeleton.h: $(addprefix tools/pawl/skeleton/,$(skeleton))
	$(AM_V_GEN)$(MKDIR_P) $(@D) && { \
	    echo '/* Made from the files in skeleton/. */' && \
	    echo 'static const struct file skeleton[] = {' && \
	    for file in $(skeleton); do \
	        printf '{"%s",\n' $$file && \
	        $(SED) 's/\\/\\\\/g; s/"/\\"/g; s/.*/    "&\\n"/' \
	            $(srcdir)/tools/pawl/skeleton/$$file && \
	        echo '    },' || exit 1; \
	    done && \
	    echo '};'; } >$@.new && mv $@.new $@
CLEANFILES += tools/pawl/skeleton.h
EXTRA_DIST += tools/pawl/skeleton

bin_PROGRAMS += pawl
pawl_CPPFLAGS = $(libpawltool_la_CPPFLAGS)
pawl_CFLAGS = $(program_cflags)
pawl_LDFLAGS = $(program_ldflags)
pawl_LDADD = libpawltool.la libpawl.la
pawl_SOURCES = tools/pawl/main.c

dist_man_MANS += \
	core/pawl.json.5 \
	tools/pawl/pawl.1 \
	tools/pawl/pawl-tools.5

# bash looks for a file of the command's name.
completiondir = $(datadir)/bash-completion/completions
dist_completion_DATA = tools/pawl/completion/pawl tools/pawl/completion/pawl-harness

# Fuzzers of what people write (make fuzz).
fuzz_programs += tests/fuzz/config tests/fuzz/tools
EXTRA_PROGRAMS += tests/fuzz/config tests/fuzz/tools
tests_fuzz_config_CPPFLAGS = $(host_cppflags) -I$(top_srcdir)
tests_fuzz_config_LDFLAGS = $(AM_LDFLAGS) -fsanitize=fuzzer
tests_fuzz_config_LDADD = libcore.la
tests_fuzz_tools_CPPFLAGS = $(host_cppflags) -I$(top_srcdir)
tests_fuzz_tools_LDFLAGS = $(AM_LDFLAGS) -fsanitize=fuzzer
tests_fuzz_tools_LDADD = libpawltool.la libpawl.la
EXTRA_DIST += tests/fuzz/config.corpus tests/fuzz/tools.corpus

# Unit tests of its parts.
check_PROGRAMS += tests/unit/tool_process tests/unit/tool_discover tests/unit/tool_toolsfile
tests_unit_tool_process_CPPFLAGS = $(unit_cppflags)
tests_unit_tool_process_LDFLAGS = $(unit_ldflags)
tests_unit_tool_process_LDADD = libtest.la libpawltool.la libpawl.la
tests_unit_tool_discover_CPPFLAGS = $(unit_cppflags)
tests_unit_tool_discover_LDFLAGS = $(unit_ldflags)
tests_unit_tool_discover_LDADD = libtest.la libpawltool.la libpawl.la
tests_unit_tool_toolsfile_CPPFLAGS = $(unit_cppflags)
tests_unit_tool_toolsfile_LDFLAGS = $(unit_ldflags)
tests_unit_tool_toolsfile_LDADD = libtest.la libpawltool.la libpawl.la
TESTS += tests/unit/tool_process tests/unit/tool_discover tests/unit/tool_toolsfile

check_PROGRAMS += tests/unit/document tests/unit/config tests/unit/redact
tests_unit_document_CPPFLAGS = $(unit_cppflags)
tests_unit_document_LDFLAGS = $(unit_ldflags)
tests_unit_document_LDADD = $(unit_core_ldadd)
tests_unit_config_CPPFLAGS = $(unit_cppflags)
tests_unit_config_LDFLAGS = $(unit_ldflags)
tests_unit_config_LDADD = $(unit_core_ldadd)
tests_unit_redact_CPPFLAGS = $(unit_cppflags)
tests_unit_redact_LDFLAGS = $(unit_ldflags)
tests_unit_redact_LDADD = $(unit_core_ldadd)
TESTS += tests/unit/document tests/unit/config tests/unit/redact

# It links the library's code itself, so that the library's allocations fail as well.
check_PROGRAMS += tests/unit/config_memory
tests_unit_config_memory_CPPFLAGS = $(unit_cppflags)
tests_unit_config_memory_LDFLAGS = $(unit_ldflags) -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc \
	-Wl,--wrap=strdup,--wrap=strndup
tests_unit_config_memory_LDADD = libtest.la libpawltool.la libcore.la
TESTS += tests/unit/config_memory
