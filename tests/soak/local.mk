# A hundred thousand runs of every kind on every provider, with trouble (make soak); a small part of
# them is a test. With the run's seed as a second argument it can be made again:
#     ./run tests/soak/soak 100000 SEED
check_PROGRAMS += tests/soak/soak
tests_soak_soak_SOURCES = \
	tests/soak/dice.h \
	tests/soak/inventory.c tests/soak/inventory.h \
	tests/soak/scenarios.c tests/soak/scenarios.h \
	tests/soak/soak.c \
	tests/soak/trouble.c tests/soak/trouble.h
tests_soak_soak_CPPFLAGS = $(host_cppflags) -I$(top_srcdir)
tests_soak_soak_LDFLAGS = $(AM_LDFLAGS) -no-install
tests_soak_soak_LDADD = libpawl.la -lpthread
TESTS += tests/soak/soak

SOAK_RUNS = 100000
.PHONY: soak
soak: all tests/soak/soak
	@./run tests/soak/soak $(SOAK_RUNS)
