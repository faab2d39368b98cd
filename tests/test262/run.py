#!/usr/bin/env python3
"""Runs the test262 suite through the quickjs provider: run.py DIR [PREFIX]

Every chosen file (suite.py) is the body of a program, behind the harness that it asks for. With
--reference, each is also given to the engine alone: the same WebAssembly module, run by node, without
anything of pawl's. What the engine passes and pawl does not is pawl's own loss.
"""

import argparse
import collections
import json
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

sys.dont_write_bytecode = True  # the source tree may be read-only
import suite  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
BUILD = os.environ.get("PAWL_BUILD_DIR", ".")
AT_ONCE = 200


def framed(programs):
    return b"".join(b"%d\n%s" % (len(text), text) for text in programs)


def run_all(command, programs):
    """One line of JSON for each program; a process that dies is started again behind the culprit."""
    results = []
    while len(results) < len(programs):
        done = subprocess.run(command, input=framed(programs[len(results):]), stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE)
        lines = done.stdout.decode("utf-8", "replace").split("\n")[:-1]
        results += [json.loads(line) for line in lines]
        if len(results) < len(programs):
            why = done.stderr.decode("utf-8", "replace").strip()[-300:]
            results.append({"ok": False, "error": {"kind": "crash", "message": why}})
    return results[:len(programs)]


def verdict(test, result):
    """What is wrong with a result, or None."""
    error = result.get("error") or {}
    said = f"{error.get('kind')}: {error.get('message')}"
    if test.negative is None:
        return None if result["ok"] else said
    if result["ok"]:
        return f"succeeds, but {test.negative.type} is expected"
    if test.negative.phase == "parse":
        return None if error.get("kind") == "syntax" else said
    is_named = re.search(rf"\b{test.negative.type}\b", error.get("message", ""))
    return None if error.get("kind") == "runtime" and is_named else said


def judge(tests, command, jobs):
    """What is wrong with each test."""
    batches = [tests[i:i + AT_ONCE] for i in range(0, len(tests), AT_ONCE)]

    def one(batch):
        programs = [test.program.encode("utf-8", "surrogatepass") for test in batch]
        return [verdict(*pair) for pair in zip(batch, run_all(command, programs))]

    with ThreadPoolExecutor(jobs) as pool:
        return [wrong for batch in pool.map(one, batches) for wrong in batch]


def group_of(name):
    return "/".join(name.split("/")[:3 if name.startswith("language/") else 2])


def show(tests, ours, theirs, word):
    groups = collections.defaultdict(lambda: [0, 0, 0])
    for test, our, their in zip(tests, ours, theirs):
        group = groups[group_of(test.name)]
        group[0] += 1
        group[1] += our is None
        group[2] += their is None
    for name, (count, passed, reference) in sorted(groups.items()):
        if passed < count:
            alone = f", by the engine alone {reference:6}" if theirs is not ours else ""
            print(f"{name:50} {passed:6} of {count:6}{alone}")
    for test, our, their in zip(tests, ours, theirs):
        if our and (theirs is ours or not their):
            print(f"{word} {test.name}: {our}")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suite", help="the suite's folder")
    parser.add_argument("prefix", nargs="?", default="", help="only files whose names begin so")
    parser.add_argument("-r", "--reference", action="store_true", help="compare with the engine")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count() or 1)
    arguments = parser.parse_args()

    tests, left_out = suite.Suite(arguments.suite).choose(arguments.prefix)
    if not tests:
        parser.error(f"no file of {arguments.suite} is chosen")
    for why, count in left_out.most_common():
        print(f"left out {count:6}  {why}")
    ours = judge(tests, [os.path.join(BUILD, "tests/differential/runner"), "quickjs"],
                 arguments.jobs)
    passed = ours.count(None)
    if not arguments.reference:
        show(tests, ours, ours, "failed")
        print(f"chosen {len(tests)}, passed {passed}: {100 * passed / len(tests):.2f} %")
        return 0
    node = shutil.which("node") or shutil.which("nodejs")
    if node is None:
        parser.error("node is missing (Debian: nodejs)")
    theirs = judge(tests, [node, "--stack-size=60000", os.path.join(HERE, "reference.mjs"),
                           os.path.join(BUILD, "providers/quickjs/quickjs.wasm")], arguments.jobs)
    show(tests, ours, theirs, "lost")
    lost = sum(1 for our, their in zip(ours, theirs) if our and not their)
    reference = theirs.count(None)
    print(f"chosen {len(tests)}, passed {passed}: {100 * passed / len(tests):.2f} %, by the engine "
          f"alone {reference}: {100 * reference / len(tests):.2f} %; lost {lost}: "
          f"{100 * lost / max(reference, 1):.2f} points")
    return 0 if lost <= 0.005 * reference else 1


if __name__ == "__main__":
    sys.exit(main())
