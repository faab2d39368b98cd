#!/usr/bin/env python3
"""Whether pawl-harness finds out each plugin that lies, at the right requirement and no other, and
finds nothing wrong with the honest ones and with the plugins that ship. Prints TAP.

Started through ./run of a build tree; `test.py NAME...` checks only those lying providers.
"""

import concurrent.futures
import hashlib
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

# What a sanitizer keeps of freed memory is no growth of the plugin's.
IGNORED = {"R49", "R88", "S15"} if os.environ.get("SANITIZE") else set()

# The plugin, and the requirements at which it is to fail.
LIARS = {
    "honest": "",
    "after-end": "R42",
    "brief": "R92",
    "brittle": "R91",
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
    "stubborn": "R90",
    "swallow": "R35 R36 R90",
    "threads": "R48",
    "twice": "R26",
}

# The same for stages.
LYING_STAGES = {
    "honest": "",
    "brittle": "S10",
    "careless": "S05",
    "changes": "S03",
    "deaf": "S12",
    "fragile": "S13",
    "grows": "S15",
    "leaves": "S16",
    "mute": "S08",
    "odd-status": "S07",
    "odd-verdict": "S07",
    "signals": "S17",
    "slow": "S11",
    "strict": "S09",
    "threads": "S14",
}


def harness(*arguments, environment=None):
    """Runs it; the failed, skipped and passed requirements, and the finished process."""
    done = subprocess.run(
        ["pawl-harness", *arguments],
        stdin=subprocess.DEVNULL,
        env=environment,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    found = {"passed": [], "skipped": [], "failed": []}
    for line in done.stdout.splitlines():
        outcome = re.match(r"(not ok|ok) \d+ - ([RS]\d+) .*?( # SKIP .*)?$", line)
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
    right = set(found["failed"]) - IGNORED == set(expected) - IGNORED
    right = right and done.returncode == (1 if found["failed"] else 0)
    return right, f"expected to fail at {expected}\n{done.stdout}{done.stderr}"


def check_lying_stage(name):
    plugin = os.path.join(LYING, f"pawl-{name}-stage.so")
    found, done = harness(plugin, "--runs", "600", "--seconds", "10")
    expected = LYING_STAGES[name].split()
    right = set(found["failed"]) - IGNORED == set(expected) - IGNORED
    right = right and done.returncode == (1 if found["failed"] else 0)
    # What is wrong with a verdict is seen wherever one is given.
    if name.startswith("odd-"):
        right = expected[0] in found["failed"]
    return right, f"expected to fail at {expected}\n{done.stdout}{done.stderr}"


def shipped(name, kind="provider"):
    return os.path.join(BUILD, "plugins", f"pawl-{name}-{kind}.so")


# The providers that ship, and their configurations.
SHIPPED = [
    ("mujs", {}),
    ("quickjs", {}),
    ("subprocess", {"engine": "mujs"}),
    ("confine", {"engine": "quickjs"}),
]


def check_shipped(provider):
    """Whether it passes, words about it, and why it cannot be checked."""
    name, config = provider
    if not os.path.exists(shipped(name)):
        return True, "", "it was not built"
    if "engine" in config and not os.path.exists(shipped(config["engine"])):
        return True, "", f"{config['engine']} was not built"
    arguments = ["--config", json.dumps(config), shipped(name)]
    _, done = harness("--only", "R04", *arguments)
    if done.returncode != 0 and name == "confine":
        return True, "", " ".join(done.stdout.splitlines()[1:2])
    found, done = harness("--runs", "500", *arguments)
    right = not set(found["failed"]) - IGNORED and done.returncode in (0, 1 if IGNORED else 0)
    return right, done.stdout + done.stderr, ""


def check_shipped_stages(tap):
    with tempfile.TemporaryDirectory() as folder:
        configurations = [
            ("allow", {"allow": ["tools.get_*", "tools.echo"]}),
            ("quota", {"limits": [{"match": "tools.*", "calls": 3}]}),
            ("quota", {"limits": [{"match": "tools.*", "argument_bytes": 10}]}),
            ("audit", {"file": os.path.join(folder, "audit.jsonl")}),
            ("approve", {"command": ["/bin/true"]}),
            ("approve", {"command": ["/bin/sleep", "100"]}),
        ]
        for name, config in configurations:
            arguments = ["--config", json.dumps(config), shipped(name, "stage"), "--runs", "600"]
            if "/bin/sleep" in config.get("command", []):  # nobody answers: each call takes its time
                arguments += ["--only", "S07,S12,S16"]
            found, done = harness(*arguments)
            right = not set(found["failed"]) - IGNORED and "S07" in found["passed"]
            tap.say(right, f"the stage {name} passes, {json.dumps(config)[:40]}",
                    done.stdout + done.stderr)


def check_stage_records(tap):
    """A stage's record says whether everything holds, and require_verified believes it."""
    with tempfile.TemporaryDirectory() as folder:
        records = os.path.join(folder, "records")
        os.makedirs(records)
        for place in folder, records:
            os.chmod(place, 0o755)
        path = os.path.join(records, "stage.json")
        config = os.path.join(folder, "pawl.json")
        with open(config, "w", encoding="utf-8") as file:
            json.dump({"plugin_dirs": [LYING], "require_verified": True, "verified_dir": records,
                       "providers": [], "stages": [{"plugin": "honest"}]}, file)
        for name, holds in ("mute", False), ("honest", True):
            plugin = os.path.join(LYING, f"pawl-{name}-stage.so")
            found, _ = harness("--lock", path, "--runs", "100", "--seconds", "10", plugin)
            with open(path, encoding="utf-8") as file:
                record = json.load(file)
            with open(plugin, "rb") as file:
                sha256 = hashlib.sha256(file.read()).hexdigest()
            # A sanitizer's memory is not the stage's.
            right = record["sha256"] == sha256 and (record["holds"] == holds or bool(IGNORED))
            right = right and record["kind"] == "stage" and record["plugin"] == name
            right = right and all(record[key] == ids for key, ids in found.items())
            tap.say(right, f'the record of the stage "{name}"', json.dumps(record, indent=1))
            loaded = subprocess.run(["pawl", "check-config", config], capture_output=True, text=True,
                                    check=False)
            right = loaded.returncode == (0 if holds else 2)
            right = right and ("it must be verified" in loaded.stderr) != holds
            tap.say(right or bool(IGNORED), f"a configured stage with the record of {name}",
                    loaded.stdout + loaded.stderr)


def check_escape(tap):
    """An engine that gets out of its jail is found out: here one that only says that it did."""
    escaped = os.path.join(BUILD, "tests/plugins/escaped")
    arguments = ["--config", '{"engine":"mujs"}', shipped("confine")]
    if not os.path.exists(shipped("confine")):
        tap.skip("native code that gets out", "confine was not built")
    elif harness("--only", "R04", *arguments)[1].returncode != 0:
        tap.skip("native code that gets out", "confine cannot be created here")
    else:
        environment = {**os.environ, "PAWL_PROBES": escaped}
        found, done = harness("--only", "R68", *arguments, environment=environment)
        tap.say(
            found["failed"] == ["R68"] and "native code got out" in done.stdout,
            "native code that gets out",
            done.stdout + done.stderr,
        )


def check_forged(tap):
    """One that believes what a child says is found out; so is one that takes no child's word."""
    wanted = ["R86", "R87", "R88", "R89"]
    found, done = harness(
        "--only", ",".join(wanted), "--config", '{"command":["/bin/true"]}', lying("gullible")
    )
    tap.say(found["failed"] == wanted, "a provider that believes its child", done.stdout)
    found, done = harness("--only", ",".join(wanted), shipped("subprocess"), "--config",
                          '{"command":["/bin/false"]}')
    missing = set(wanted) - set(found["passed"])
    tap.say(missing <= IGNORED, "forgers as commands of subprocess", done.stdout)


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
            "a requirement of another kind": ["--only", "S01", lying("honest")],
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


def check_record(tap):
    """What --lock writes: the level holds for the honest one, and not for one that lies about it."""
    with tempfile.TemporaryDirectory() as folder:
        for name, holds in ("honest", True), ("files", False), ("twice", True):
            path = os.path.join(folder, name)
            found, _ = harness(
                "--lock", path, "--programs", PROGRAMS, "--runs", "100", "--seconds", "40", lying(name)
            )
            with open(path, encoding="utf-8") as file:
                record = json.load(file)
            with open(lying(name), "rb") as file:
                sha256 = hashlib.sha256(file.read()).hexdigest()
            right = record["sha256"] == sha256 and record["level_holds"] == holds
            right = right and record["level"] == "process" and record["plugin"] == name
            right = right and all(record[key] == ids for key, ids in found.items())
            tap.say(right, f'the record of "{name}"', json.dumps(record, indent=1))


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
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for (name, _), (right, words, reason) in zip(SHIPPED, pool.map(check_shipped, SHIPPED)):
            if reason:
                tap.skip(f"{name} passes", reason)
            else:
                tap.say(right, f"{name} passes", words)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for name, (right, words) in zip(LYING_STAGES, pool.map(check_lying_stage, LYING_STAGES)):
            tap.say(right, f"the stage \"{name}\" {LYING_STAGES[name] or 'passes'}", words)
    check_shipped_stages(tap)
    check_stage_records(tap)
    check_escape(tap)
    check_forged(tap)
    check_usage(tap)
    check_record(tap)
    check_refused(tap)
    check_programs(tap)
    check_manual(tap)
    print(f"1..{tap.count}")
    return int(tap.failed)


if __name__ == "__main__":
    sys.exit(main())
