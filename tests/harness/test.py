#!/usr/bin/env python3
"""Whether pawl-harness finds out each provider that lies, at the right requirement and no other, and
finds nothing wrong with the honest one and with the providers that ship. Prints TAP.

Started through ./run of a build tree; `test.py NAME...` checks only those lying providers.
"""

import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile

BUILD = os.environ["PAWL_BUILD_DIR"]
SOURCE = os.environ["PAWL_SOURCE_DIR"]
LYING = os.path.join(BUILD, "tests/plugins/lying")
PROGRAMS = os.path.join(SOURCE, "tests/plugins/lying/tiny.json")

# The plugin, and the requirements at which it is to fail.
LIARS = {
    "honest": "",
    "after-end": "R42",
    "careless": "R05",
    "clock": "R44",
    "crash": "R80",
    "denial": "R29 R30",
    "egress": "R66",
    "end-twice": "R41",
    "exit": "R05",
    "files": "R65",
    "grows": "R49",
    "late": "R42",
    "leaves": "R50",
    "logs": "R21",
    "memory": "R63",
    "moves": "R06",
    "native": "R62",
    "os": "R67",
    "os-files": "R65 R67",
    "position": "R20",
    "state": "R47",
    "swallow": "R35 R36",
    "threads": "R48",
    "twice": "R26",
}


def harness(*arguments):
    """Runs it; the failed, skipped and passed requirements, and the finished process."""
    done = subprocess.run(
        ["pawl-harness", *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    found = {"passed": [], "skipped": [], "failed": []}
    for line in done.stdout.splitlines():
        outcome = re.match(r"(not ok|ok) \d+ - (R\d+) .*?( # SKIP .*)?$", line)
        if outcome:
            key = "failed" if outcome[1] == "not ok" else "skipped" if outcome[3] else "passed"
            found[key].append(outcome[2])
    return found, done


def lying(name):
    return os.path.join(LYING, f"pawl-{name}-provider.so")


def check_liar(name):
    found, done = harness(
        lying(name), "--programs", PROGRAMS, "--runs", "600", "--seconds", "40"
    )
    expected = LIARS[name].split()
    right = found["failed"] == expected and done.returncode == (1 if expected else 0)
    return right, f"expected to fail at {expected}\n{done.stdout}{done.stderr}"


def check_shipped(name):
    found, done = harness(os.path.join(BUILD, "plugins", f"pawl-{name}-provider.so"))
    return not found["failed"] and done.returncode == 0, done.stdout + done.stderr


class Tap:
    def __init__(self):
        self.count = 0
        self.failed = False

    def say(self, right, name, words=""):
        self.count += 1
        print(f"{'ok' if right else 'not ok'} {self.count} - {name}")
        if not right:
            self.failed = True
            for line in words.splitlines():
                print(f"# {line}")
        sys.stdout.flush()

    def skip(self, name, why):
        self.count += 1
        print(f"ok {self.count} - {name} # SKIP {why}")


def check_usage(tap):
    """What is wrong with the call is no failure of the plugin: exit status 2, and a reason."""
    with tempfile.TemporaryDirectory() as folder:
        bad = os.path.join(folder, "bad.json")
        with open(bad, "w", encoding="utf-8") as file:
            file.write('{"value": "return 1", "no such scenario": "x"}')
        wrong = {
            "no plugin": [],
            "no such file": ["/nowhere/pawl-x-provider.so"],
            "no such option": ["--nonsense", lying("honest")],
            "no such requirement": ["--only", "R00", lying("honest")],
            "no such scenario": ["--programs", bad, lying("honest")],
            "a record of a part": ["--only", "R01", "--lock", bad, lying("honest")],
        }
        for name, arguments in wrong.items():
            _, done = harness(*arguments)
            tap.say(
                done.returncode == 2 and done.stderr != "",
                f"wrong usage: {name}",
                f"exit status {done.returncode}: {done.stdout}{done.stderr}",
            )
    found, done = harness("--only", "R01,R10", lying("honest"))
    tap.say(found["passed"] == ["R01", "R10"] and done.returncode == 0, "--only", done.stdout)


def check_refused(tap):
    """A file that is no plugin fails R01, and everything else says why."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        path = os.path.join(folder, "pawl-text-provider.so")
        with open(path, "w", encoding="utf-8") as file:
            file.write("this is no shared object\n")
        found, done = harness("--only", "R01,R11", path)
    tap.say(
        found["failed"] == ["R01", "R11"] and done.returncode == 1,
        "a file that is no plugin",
        done.stdout,
    )


def check_programs(tap):
    """The programs that are printed can be read again, and are the same."""
    _, printed = harness("--print-programs")
    programs = json.loads(printed.stdout)
    tap.say("loop" in programs and len(programs) > 50, "--print-programs", printed.stdout)
    with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file:
        file.write(printed.stdout)
        file.flush()
        found, done = harness("--only", "R11", "--programs", file.name, lying("honest"))
    tap.say(found["failed"] == ["R11"], "--programs", done.stdout)  # tiny reads no JavaScript


def check_manual(tap):
    """Every requirement and every scenario is in the manual page."""
    with open(os.path.join(SOURCE, "tools/harness/pawl-harness.1"), encoding="utf-8") as file:
        manual = file.read()
    _, done = harness("--list")
    missing = [
        line
        for line in done.stdout.splitlines()
        if not re.search(rf"^\.It {line.split()[0]} .*\n", manual, re.MULTILINE)
    ]
    tap.say(done.returncode == 0 and not missing, "the manual page has every requirement",
            "\n".join(missing))
    _, printed = harness("--print-programs")
    missing = [
        name
        for name in json.loads(printed.stdout)
        if not re.search(rf"^\.It Li {name}$", manual, re.MULTILINE)
    ]
    tap.say(not missing, "the manual page has every scenario", "\n".join(missing))


def main():
    tap = Tap()
    names = sys.argv[1:] or list(LIARS)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for name, (right, words) in zip(names, pool.map(check_liar, names)):
            tap.say(right, f"the provider \"{name}\" {LIARS[name] or 'passes'}", words)
    if sys.argv[1:]:
        print(f"1..{tap.count}")
        return int(tap.failed)
    for name in ("mujs", "quickjs"):
        if os.path.exists(os.path.join(BUILD, "plugins", f"pawl-{name}-provider.so")):
            right, words = check_shipped(name)
            tap.say(right, f"{name} passes", words)
        else:
            tap.skip(f"{name} passes", "it was not built")
    check_usage(tap)
    check_refused(tap)
    check_programs(tap)
    check_manual(tap)
    print(f"1..{tap.count}")
    return int(tap.failed)


if __name__ == "__main__":
    sys.exit(main())
