#!/usr/bin/env python3
"""The example must run, and say what the README says that it does. Prints TAP."""

import json
import os
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
EXPECTED = {
    "hosts": 4,
    "teams": {
        "nobody": {"hosts": 1, "errors": 0},
        "storage": {"hosts": 1, "errors": 0},
        "storefront": {"hosts": 2, "errors": 3},
    },
}

PROGRAMS = {"summary.js": "javascript", "summary-es5.js": "javascript-es5"}


def main():
    os.environ["PAWL_CONFIG"] = os.path.join(HERE, "..", "tools", "pawl.json")
    listed = json.loads(subprocess.check_output(["pawl", "providers", "--json"]))["providers"]
    print(f"1..{len(PROGRAMS) + 1}")
    for number, (program, language) in enumerate(PROGRAMS.items(), 1):
        if not any(language in provider["languages"] for provider in listed):
            print(f"ok {number} - {program} # SKIP no provider runs {language}")
            continue
        done = subprocess.run(
            ["pawl", "run", "--level", "process", "--language", language, "--json",
             "--tools", os.path.join(HERE, "tools.json"), os.path.join(HERE, program)],
            stdin=subprocess.DEVNULL, capture_output=True,
        )
        result = json.loads(done.stdout)
        good = result.get("value") == EXPECTED and result["calls"] == 9 and done.returncode == 0
        print(f"{'ok' if good else 'not ok'} {number} - {program}")
        if not good:
            print(f"# {json.dumps(result)}")
    done = subprocess.run(["sh", os.path.join(HERE, "run")], capture_output=True)
    good = done.returncode == 0 and json.loads(done.stdout) == EXPECTED
    print(f"{'ok' if good else 'not ok'} {len(PROGRAMS) + 1} - the script")
    if not good:
        print(f"# exit status {done.returncode}: {done.stdout!r} {done.stderr!r}")


main()
