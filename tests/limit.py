#!/usr/bin/env python3
"""limit.py SECONDS COMMAND...: runs a command; one that does not end in time is described and killed.

What hangs on another machine can rarely be looked at there: so what each of its processes was doing
is said at once."""
import os
import pathlib
import shutil
import signal
import subprocess
import sys


def read(path):
    try:
        return path.read_text(errors="replace").replace("\0", " ").strip()
    except OSError:
        return "?"


def members(group):
    """The processes of a process group and what they started, by number."""
    found, pids = set(), {}
    for entry in pathlib.Path("/proc").iterdir():
        fields = read(entry / "stat").rpartition(")")[2].split() if entry.name.isdigit() else []
        if len(fields) > 2:
            pids[int(entry.name)] = (int(fields[1]), int(fields[2]))
    while True:
        more = {pid for pid, (parent, own) in pids.items()
                if pid not in found and (own == group or parent in found)}
        if not more:
            return sorted(found)
        found |= more


def describe(group):
    for pid in members(group):
        process = pathlib.Path("/proc", str(pid))
        print(f"# {pid}: {read(process / 'cmdline')[:120]}")
        for task in sorted((process / "task").iterdir()):
            state = read(task / "stat").rpartition(")")[2].split()[:1]
            print(f"#   thread {task.name}: {read(task / 'comm')} {state} "
                  f"in {read(task / 'wchan')}, syscall {read(task / 'syscall')[:60]}")
        if shutil.which("gdb"):
            trace = subprocess.run(
                ["gdb", "-p", str(pid), "-batch", "-ex", "set debuginfod enabled off",
                 "-ex", "thread apply all bt 12"],
                stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
            for line in trace.stdout.splitlines():
                if line.startswith(("#", "Thread")):
                    print(f"#   {line[:140]}")


def main():
    seconds, command = int(sys.argv[1]), sys.argv[2:]
    child = subprocess.Popen(command, preexec_fn=os.setpgrp)
    for name in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(name, lambda number, frame: os.killpg(child.pid, number))
    try:
        status = child.wait(timeout=seconds)
        return 128 - status if status < 0 else status
    except subprocess.TimeoutExpired:
        print(f"\n# it did not end within {seconds} s; its processes:")
        try:
            describe(child.pid)
        except Exception as error:  # what is known so far is worth more than this
            print(f"# {error!r}")
        sys.stdout.flush()
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()
        return 124


sys.exit(main())
