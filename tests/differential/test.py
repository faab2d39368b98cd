#!/usr/bin/env python3
"""Runs random programs by the quickjs provider and by node and compares what comes of them.

The value, the logs, and of a failure the error's name and line must be the same. PAWL_PROGRAMS is
how many (300), PAWL_SEED the first one's seed (1). A program that differs is printed by its seed:

    python3 tests/differential/generate.py SEED
"""

import json
import os
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True  # the source tree may be read-only
import generate  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
BUILD = os.environ.get("PAWL_BUILD_DIR", ".")
COUNT = int(os.environ.get("PAWL_PROGRAMS", "300"))
SEED = int(os.environ.get("PAWL_SEED", "1"))
AT_ONCE = 100
SHOWN = 20  # differences


def by_pawl(programs):
    text = b"".join(b"%d\n%s" % (len(p), p) for p in (p.encode() for p in programs))
    done = subprocess.run([os.path.join(BUILD, "tests/differential/runner"), "quickjs"], input=text,
                          stdout=subprocess.PIPE, check=True)
    return [json.loads(line) for line in done.stdout.decode().splitlines()]


def by_node(node, programs):
    done = subprocess.run([node, os.path.join(HERE, "node.mjs")], input=json.dumps(programs).encode(),
                          stdout=subprocess.PIPE, check=True, env={**os.environ, "TZ": "UTC"})
    return [json.loads(line) for line in done.stdout.decode().splitlines()]


def difference(pawl, node):
    """What differs between two results, or None."""
    if pawl["logs"] != node["logs"]:
        return f"logs: {pawl['logs']!r} and in node {node['logs']!r}"
    if "error" not in node:
        if not pawl["ok"]:
            return f"{pawl['error']!r} and in node it succeeds"
        if pawl["value"] != node["value"]:
            pairs = zip(pawl["value"], node["value"])
            first = next(((a, b) for a, b in pairs if a != b), (pawl["value"], node["value"]))
            return f"value: {first[0]!r} and in node {first[1]!r}"
        return None
    error = node["error"]
    if pawl["ok"]:
        return f"it succeeds and in node fails with {error!r}"
    if error.get("thrown"):
        return None
    if error["line"] == 0:  # node does not know: the error of Promise.any has no stack there
        error["line"] = pawl["error"].get("line", 0)
    name = pawl["error"]["message"].split(":")[0].strip()
    if name != error["name"] or pawl["error"].get("line", 0) != error["line"]:
        return f"{pawl['error']['message']!r} in line {pawl['error'].get('line', 0)} and in node " \
               f"{error['name']}: {error['message']!r} in line {error['line']}"
    return None


def main():
    node = shutil.which("node") or shutil.which("nodejs")
    if node is None:
        print("1..0 # SKIP node is missing (Debian: nodejs)")
        return 0
    failed = shown = 0
    batches = range(0, COUNT, AT_ONCE)
    print(f"1..{len(batches)}")
    for number, start in enumerate(batches, 1):
        seeds = range(SEED + start, SEED + min(start + AT_ONCE, COUNT))
        programs = [generate.program(seed) for seed in seeds]
        ours, theirs = by_pawl(programs), by_node(node, programs)
        if not len(ours) == len(theirs) == len(programs):
            print("Bail out! not every program has a result")
            return 1
        found = [(s, d) for s, a, b in zip(seeds, ours, theirs) if (d := difference(a, b))]
        for seed, what in found:
            if shown < SHOWN:
                print(f"# seed {seed}: {what}")
            shown += 1
        failed += bool(found)
        print(f"{'not ok' if found else 'ok'} {number} - programs {seeds[0]} to {seeds[-1]}"
              f"{f': {len(found)} differ' if found else ''}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
