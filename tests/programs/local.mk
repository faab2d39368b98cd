# The program tests, on every provider of the build tree; see README.md there.
TEST_EXTENSIONS += .py
PY_LOG_COMPILER = $(LOG_COMPILER) python3
PY_LOG_DRIVER = $(TAP_DRIVER)

TESTS += tests/programs/run.py tests/programs/replay.sh tests/programs/example/test.py \
	tests/cli/test.py tests/cli/doctor.py tests/cli/manual.py tests/cli/record.py
EXTRA_DIST += tests/programs tests/cli tools/packages
