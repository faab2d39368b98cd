#!/bin/sh
# Every program test again: recorded, and then replayed without its functions; both must come to the
# same. In process, and in a jail, where a child asks for what it is told.
exec python3 "$(dirname "$0")/run.py" --replay -p quickjs -p mujs -p confine-quickjs
