#!/usr/bin/env python3
"""Runs the program tests through the built pawl and prints TAP. See README.md beside this file."""

import argparse
import concurrent.futures
import fnmatch
import json
import math
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDERS = {
    "contract": ["javascript", "javascript-es5"],
    "common": ["javascript", "javascript-es5"],
    "modern": ["javascript"],
}
KEYS = {
    "languages", "value", "has_value", "kind", "message", "line", "column", "suggestion", "note",
    "logs", "calls", "bytes", "call_log", "sandbox", "budget", "options", "tools", "exit", "unless",
    "skip",
}
# A run that has not ended by then is killed and has failed: no test waits for ever.
PATIENCE_SECONDS = 120


def read_json(text):
    """Parses JSON so that -0 stays what it is."""
    return json.loads(text, parse_int=lambda digits: -0.0 if digits == "-0" else int(digits))


class Test:
    def __init__(self, folder, name):
        self.name = f"{folder}/{name}"
        self.path = os.path.join(HERE, folder, name + ".js")
        sidecar = os.path.join(HERE, folder, name + ".json")
        if os.path.exists(sidecar):
            with open(sidecar, encoding="utf-8") as file:
                text = file.read()
        else:
            with open(self.path, encoding="utf-8") as file:
                match = re.match(r"/\*---\n(.*?)\n---\*/", file.read(), re.DOTALL)
            if match is None:
                sys.exit(f"Bail out! {self.path} does not say what is expected of it")
            text = match.group(1)
        try:
            self.expected = read_json(text)
        except ValueError as error:
            sys.exit(f"Bail out! {self.path}: {error}")
        self.languages = self.expected.get("languages", FOLDERS[folder])
        variants = [self.expected, *self.expected.get("unless", {}).values()]
        unknown = {key for variant in variants for key in variant} - KEYS
        if unknown:
            sys.exit(f"Bail out! {self.path}: unknown keys {sorted(unknown)}")

    def expectation(self, provider, language):
        merged = dict(self.expected)
        for condition, replaced in self.expected.get("unless", {}).items():
            if condition == language or condition in provider["id"].split("-"):
                merged.update(replaced)
        return merged


def all_tests():
    return [
        Test(folder, file[: -len(".js")])
        for folder in FOLDERS
        for file in sorted(os.listdir(os.path.join(HERE, folder)))
        if file.endswith(".js")
    ]


def same(actual, expected):
    """Equality of JSON values that tells 1 from true and 0 from -0."""
    if isinstance(expected, bool) or isinstance(actual, bool):
        return actual is expected
    if isinstance(expected, (int, float)):
        return (
            isinstance(actual, (int, float))
            and actual == expected
            and math.copysign(1, actual) == math.copysign(1, expected)
        )
    if type(actual) is not type(expected):
        return False
    if isinstance(expected, list):
        return len(actual) == len(expected) and all(map(same, actual, expected))
    if isinstance(expected, dict):
        return actual.keys() == expected.keys() and all(
            same(actual[key], expected[key]) for key in expected
        )
    return actual == expected


def contains(actual, expected):
    """Whether every member of `expected` is in `actual`, to any depth."""
    if isinstance(expected, dict):
        return isinstance(actual, dict) and all(
            key in actual and contains(actual[key], expected[key]) for key in expected
        )
    return same(actual, expected)


def log_matches(actual, expected):
    if isinstance(expected, dict):
        return re.search(expected["match"], actual) is not None
    return actual == expected


def compare(expected, result):
    """The differences between what was expected and a result, as lines."""
    wrong = []

    def check(good, what, actual):
        if not good:
            wrong.append(f"{what}: {json.dumps(actual)}, expected {json.dumps(expected.get(what))}")

    error = result.get("error") or {}
    if "kind" in expected:
        check(error.get("kind") == expected["kind"], "kind", error or result.get("value"))
    elif not result.get("ok"):
        wrong.append(f"failed: {json.dumps(error)}")
        return wrong
    if "value" in expected:
        check(same(result.get("value"), expected["value"]), "value", result.get("value"))
        check(result.get("has_value") is True, "has_value", result.get("has_value"))
    elif "has_value" in expected:
        check(result.get("has_value") is expected["has_value"], "has_value", result.get("has_value"))
    if "message" in expected:
        message = error.get("message", "")
        check(re.search(expected["message"], message) is not None, "message", message)
    for key in ("line", "column"):
        if key in expected:
            check(error.get(key) == expected[key], key, error.get(key))
    if "suggestion" in expected:
        suggestions = error.get("suggestions", [])
        check(
            any(re.search(expected["suggestion"], text) for text in suggestions),
            "suggestion",
            suggestions,
        )
    if "note" in expected:
        check(re.search(expected["note"], result.get("note", "")) is not None, "note", result.get("note"))
    if "logs" in expected:
        logs = result.get("logs")
        check(
            isinstance(logs, list)
            and len(logs) == len(expected["logs"])
            and all(map(log_matches, logs, expected["logs"])),
            "logs",
            logs,
        )
    for key in ("calls", "bytes"):
        if key in expected:
            check(same(result.get(key), expected[key]), key, result.get(key))
    if "call_log" in expected:
        call_log = result.get("call_log", [])
        good = len(call_log) == len(expected["call_log"])
        for actual, wanted in zip(call_log, expected["call_log"]):
            wanted = dict(wanted)
            pattern = wanted.pop("error", None)
            good = good and contains(actual, wanted)
            good = good and (pattern is None or re.search(pattern, actual.get("error", "")) is not None)
        check(good, "call_log", call_log)
    for key in ("sandbox", "budget"):
        if key in expected:
            check(contains(result.get(key), expected[key]), key, result.get(key))
    return wrong


def exit_status(expected):
    if "exit" in expected:
        return expected["exit"]
    kind = expected.get("kind")
    return 0 if kind is None else 3 if kind == "sandbox_unavailable" else 1


class Failed(Exception):
    """No result came; the arguments are lines that say why."""


def run_pawl(command):
    """Runs pawl; returns how it ended, and its result."""
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE_SECONDS
        )
    except subprocess.TimeoutExpired:
        raise Failed(f"did not end within {PATIENCE_SECONDS} seconds")
    try:
        return done, read_json(done.stdout.decode("utf-8"))
    except ValueError as error:
        raise Failed(
            f"exit status {done.returncode}, stdout is not a JSON object: {error}",
            repr(done.stdout[:500]),
            repr(done.stderr[-1000:]),
        )


def command_of(pawl, expected, provider, language):
    return [
        pawl, "run", "--json", "--provider", provider["id"], "--language", language,
        "--level", "process", "--timeout", "20s", *expected.get("options", []),
    ]


def tools_of(expected):
    tools = expected.get("tools", "tools.json")
    return ["--tools", os.path.join(HERE, "tools", tools)] if tools else []


def run_test(pawl, test, provider, language):
    """Runs a test once; returns the lines that say what was wrong."""
    expected = test.expectation(provider, language)
    command = command_of(pawl, expected, provider, language)
    done, result = run_pawl([*command, *tools_of(expected), test.path])
    wrong = compare(expected, result)
    if done.returncode != exit_status(expected):
        wrong.append(f"exit status {done.returncode}, expected {exit_status(expected)}")
    if wrong and done.stderr:
        wrong.append(f"stderr: {done.stderr[-1000:].decode('utf-8', 'replace')!r}")
    return wrong


def comparable(result):
    """What of a result must be the same whenever the program is told the same."""
    kept = {key: result.get(key) for key in
            ("ok", "has_value", "value", "error", "note", "logs", "calls", "bytes")}
    kept["call_log"] = [
        {key: call.get(key) for key in ("name", "status", "bytes", "error")}
        for call in result.get("call_log", [])
    ]
    return kept


def replay_test(pawl, test, provider, language):
    """Runs a test while it is recorded, and again by the record, without its functions."""
    command = command_of(pawl, test.expectation(provider, language), provider, language)
    with tempfile.TemporaryDirectory(prefix="pawl-replay-") as folder:
        record = os.path.join(folder, "record")
        tools = tools_of(test.expectation(provider, language))
        done, first = run_pawl([*command, *tools, "--record", record, test.path])
        if "binding_collision" in done.stdout.decode() or not os.path.exists(record):
            return []  # it never ran
        again, second = run_pawl([*command, "--replay", record])
    wrong = [
        f"{key}: {json.dumps(comparable(second)[key])[:1000]}, was {json.dumps(value)[:1000]}"
        for key, value in comparable(first).items()
        if not same(comparable(second)[key], value)
    ]
    if again.returncode != done.returncode:
        wrong.append(f"exit status {again.returncode}, was {done.returncode}")
    return wrong


def list_providers(pawl):
    done = subprocess.run([pawl, "providers", "--json"], capture_output=True)
    if done.returncode != 0:
        sys.exit(f"Bail out! {pawl} providers: {done.stderr.decode('utf-8', 'replace').strip()}")
    return json.loads(done.stdout)["providers"]


def hidden_by_sanitizer(pawl, providers):
    """The providers that cannot run anything here, because ThreadSanitizer puts a handler of its own
    before theirs, so that they cannot tell that a run will end in time."""
    if "thread" not in os.environ.get("SANITIZE", ""):
        return set()

    def is_hidden(provider):
        command = [pawl, "run", "--provider", provider["id"], "--level", "process"]
        command += ["--language", provider["languages"][0], "-"]
        done = subprocess.run(command, input=b"", capture_output=True)
        return any(words in done.stderr for words in (b"cannot be made to end in time",
                                                      b"took the signal away"))

    return {provider["id"] for provider in providers if is_hidden(provider)}


def cases(tests, providers):
    """Every test with every provider and language that it runs on; (test, None, why) to skip."""
    for test in tests:
        found = False
        for language in test.languages:
            for provider in providers:
                if language in provider["languages"] and provider["level"] != "none":
                    found = True
                    yield test, provider, language
        if not found:
            yield test, None, "no provider runs " + " or ".join(test.languages)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-p", "--provider", action="append", help="pattern of provider ids")
    parser.add_argument("-o", "--only", action="append", help="pattern of program names")
    parser.add_argument(
        "-j", "--jobs", type=int, default=(os.cpu_count() or 1) + 1, help="how many at once"
    )
    parser.add_argument(
        "--replay", action="store_true", help="record each run, and compare it with its replay"
    )
    parser.add_argument("--pawl", default=os.environ.get("PAWL", "pawl"), help="the program")
    arguments = parser.parse_args()

    tests = all_tests()
    if arguments.only:
        tests = [
            test
            for test in tests
            if any(
                fnmatch.fnmatch(name, pattern)
                for name in (test.name, os.path.basename(test.name))
                for pattern in arguments.only
            )
        ]
    providers = list_providers(arguments.pawl)
    if arguments.provider:
        providers = [
            provider
            for provider in providers
            if any(fnmatch.fnmatch(provider["id"], pattern) for pattern in arguments.provider)
        ]
    # The tests must not depend on the operator's configuration, nor on who looks on.
    os.environ["PAWL_CONFIG"] = os.path.join(HERE, "tools", "pawl.json")

    hidden = hidden_by_sanitizer(arguments.pawl, providers)

    def why_not(test, provider, language):
        if provider is None:
            return language
        if provider["id"] in hidden:
            return "ThreadSanitizer hides the signal that ends runs"
        return test.expectation(provider, language).get("skip")

    def run_case(case):
        if why_not(*case) is not None:
            return None
        try:
            return (replay_test if arguments.replay else run_test)(arguments.pawl, *case)
        except Failed as failed:
            return list(failed.args)

    listed = list(cases(tests, providers))
    print(f"1..{len(listed)}")
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for number, (case, wrong) in enumerate(zip(listed, pool.map(run_case, listed)), 1):
            test, provider, language = case
            if wrong is None:
                where = "" if provider is None else f" [{provider['id']}, {language}]"
                print(f"ok {number} - {test.name}{where} # SKIP {why_not(*case)}")
                continue
            failed += bool(wrong)
            state = "not ok" if wrong else "ok"
            print(f"{state} {number} - {test.name} [{provider['id']}, {language}]")
            for line in wrong:
                print(f"# {line}")
            sys.stdout.flush()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
