# What pawl-child takes away from itself. The parent's side is providers/confine.
if HAVE_CONFINE
noinst_LTLIBRARIES += liblock.la
liblock_la_CPPFLAGS = $(plugin_cppflags) $(LIBCAP_CFLAGS)
liblock_la_SOURCES = \
	providers/lock/canary.c \
	providers/lock/capabilities.c \
	providers/lock/filter.c \
	providers/lock/filter.h \
	providers/lock/identity.c \
	providers/lock/idmap.c \
	providers/lock/idmap.h \
	providers/lock/inspect.c \
	providers/lock/keyring.c \
	providers/lock/landlock.c \
	providers/lock/lock.c \
	providers/lock/namespaces.c \
	providers/lock/process.c \
	providers/lock/root.c \
	providers/lock/rules.c \
	providers/lock/seccomp.c \
	providers/lock/step.c \
	providers/lock/step.h \
	providers/lock/view.c

# Tests: the filter, with the kernel's numbers for either architecture.
check_PROGRAMS += tests/unit/lock_filter
TESTS += tests/unit/lock_filter
check_LTLIBRARIES += libgenericnumbers.la
libgenericnumbers_la_SOURCES = tests/unit/lock_numbers.c
libgenericnumbers_la_CPPFLAGS = $(unit_cppflags) -DGENERIC
tests_unit_lock_filter_SOURCES = \
	tests/unit/lock_filter.c \
	tests/unit/lock_numbers.c \
	tests/unit/lock_numbers.h \
	tests/unit/lock_numbers.inc
tests_unit_lock_filter_CPPFLAGS = $(unit_cppflags)
tests_unit_lock_filter_LDFLAGS = $(unit_ldflags)
tests_unit_lock_filter_LDADD = $(unit_ldadd) liblock.la $(LIBCAP_LIBS) libgenericnumbers.la

# What the other walls are worth without it.
check_PROGRAMS += tests/unit/lock_walls
TESTS += tests/unit/lock_walls
tests_unit_lock_walls_SOURCES = \
	providers/child/limits.c \
	providers/child/limits.h \
	tests/unit/lock_walls.c
tests_unit_lock_walls_CPPFLAGS = $(unit_cppflags)
tests_unit_lock_walls_LDFLAGS = $(unit_ldflags)
tests_unit_lock_walls_LDADD = $(unit_ldadd) liblock.la $(LIBCAP_LIBS) libwire.la libprobes.la
endif
