#!/usr/bin/env python3
"""Recording, replaying, suspending and resuming runs through the installed command. Prints TAP."""

import json
import os
import signal
import stat
import subprocess
import sys

import test as cli
from test import Skip, Started, expect, expect_usage, pawl, test, tools, write

cli.TESTS.clear()

# Counts how often it was called, in a file: what must never happen twice cannot hide there.
COUNTED = ["sh", "-c", 'echo "$0" >>"$COUNT"; cat', "called"]
ASK = """#!/bin/sh
[ ! -e "$DECIDED" ] && echo "ask the owner" && exit 75
exit "$(cat "$DECIDED")"
"""


class Place:
    """Files of one test: the record, what counts the calls, what decides them."""

    def __init__(self, name, **functions):
        self.folder = os.path.join(cli.WORK, name)
        os.makedirs(self.folder)
        self.record = os.path.join(self.folder, "record")
        self.count = os.path.join(self.folder, "count")
        self.decided = os.path.join(self.folder, "decided")
        os.environ["COUNT"] = self.count
        os.environ["DECIDED"] = self.decided
        ask = write(f"{name}/ask", ASK, 0o755)
        self.gate = cli.stage("approve", command=[ask], match=["tools.put_*"])
        self.tools = write(f"{name}/tools.json", json.dumps({"namespaces": {"tools": {
            "error_class": {"name": "ToolError", "member_property": "tool"},
            "functions": functions or {
                "get": {"command": COUNTED, "signature": "get(id)", "concurrent": True},
                "put_away": {"command": COUNTED, "signature": "put_away(id)", "concurrent": True},
                "fail": {"command": ["sh", "-c", "echo broken >&2; exit 3"]},
            }}}}))

    def calls(self):
        if not os.path.exists(self.count):
            return 0
        with open(self.count, encoding="utf-8") as file:
            return len(file.readlines())

    def decide(self, status):
        write(os.path.relpath(self.decided, cli.WORK), str(status))

    def lines(self):
        with open(self.record, encoding="utf-8") as file:
            return [json.loads(line) for line in file]

    def run(self, text, *options, provider=None):
        return pawl("run", *base(provider), "--json", "--tools", self.tools, *options,
                    cli.program(text))


def base(provider):
    return [*cli.BASE[:-1], provider or cli.PROVIDER]


def javascript():
    """The providers of the language that models write; for each, whether it keeps images."""
    found = [entry["id"] for entry in pawl("providers", "--json").json["providers"]
             if "javascript" in entry["languages"] and entry["level"] != "none"]
    if not found:
        raise Skip("no provider runs javascript")
    return found


def outcome(done):
    """What of a result does not depend on time."""
    result = done.json
    return {key: result.get(key) for key in ("ok", "value", "error", "logs", "calls", "bytes")}


SYNCHRONOUS = """
console.log("begins");
var a = tools.get(1), said = "";
try { tools.fail(); } catch (e) { said = e.name + ": " + e.message; }
return {a: a, said: said, time: Date.now(), chance: Math.random()};
"""


@test
def a_record_is_replayed_without_its_functions():
    place = Place("replay")
    first = expect(place.run(SYNCHRONOUS, "--record", place.record), 0)
    assert place.calls() == 1
    kinds = [next(iter(line)) for line in place.lines()]
    assert kinds[0] == "format" and kinds[-1] == "end", kinds
    assert {"call", "settled", "clock", "random", "log"} <= set(kinds), kinds
    os.unlink(place.tools)
    again = expect(pawl("run", *cli.BASE, "--json", "--replay", place.record), 0)
    assert outcome(again) == outcome(first), (first, again)
    assert place.calls() == 1


@test
def a_record_is_secret():
    place = Place("secret")
    os.umask(0)
    expect(place.run("return 1;", "--record", place.record), 0)
    os.umask(0o022)
    assert stat.S_IMODE(os.stat(place.record).st_mode) == 0o600
    assert "secret" in place.lines()[0]["note"]


@test
def a_record_replaces_no_file():
    place = Place("exists")
    write("exists/record", "precious")
    expect_usage(place.run("return tools.get(1);", "--record", place.record),
                 "it exists, and would be lost", True)
    with open(place.record, encoding="utf-8") as file:
        assert file.read() == "precious"
    os.unlink(place.record)
    os.symlink("elsewhere", place.record)
    expect_usage(place.run("return 1;", "--record", place.record), "record: ", True)
    assert not os.path.exists(os.path.join(place.folder, "elsewhere"))
    assert place.calls() == 0


@test
def a_record_that_cannot_be_written_ends_the_run():
    place = Place("full")
    text = "var i = 0; while (true) tools.get(String(i++) + new Array(2000).join('x'));"
    command = ["sh", "-c", 'ulimit -f 16; trap "" XFSZ; exec "$@"', "-", cli.PAWL, "run", *cli.BASE,
               "--json", "--tools", place.tools, "--record", place.record, cli.program(text)]
    done = subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL, timeout=cli.PATIENCE)
    assert done.returncode == 2, done
    assert json.loads(done.stdout)["error"]["kind"] == "usage", done
    assert b"File too large" in done.stderr, done
    with open(place.record, encoding="utf-8") as file:
        begun = sum(line.startswith('{"call"') for line in file.read().splitlines())
    assert place.calls() <= begun, (place.calls(), begun)


@test
def what_differs_is_named():
    place = Place("differs")
    expect(place.run("tools.get(1); tools.get(2); return 1;", "--record", place.record), 0)

    def replay(text):
        done = pawl("run", *cli.BASE, "--json", "--replay", place.record, cli.program(text))
        expect(done, 1)
        assert done.json["error"]["kind"] == "diverged", done
        return done.json["error"]["message"]

    says = "the run differs from its record at call 2: it calls tools.get([3]), where the recorded one calls tools.get([2])"
    assert replay("tools.get(1); tools.get(3); return 1;") == says
    assert "at call 2: it ends" in replay("tools.get(1); return 1;")
    assert "after call 2: it calls tools.fail([])" in replay(
        "tools.get(1); tools.get(2); tools.fail(); return 1;")
    assert "reads the clock" in replay("Date.now(); tools.get(1); tools.get(2); return 1;")
    done = pawl("run", *cli.BASE, "--json", "--replay", place.record,
                cli.program("return tools.get(1).id + tools.get(2).id;"))
    assert expect(done, 0).json["value"] == 3, "another program with the same calls is no other run"


@test
def options_contradict_each_other():
    place = Place("contradict")
    expect(place.run("return 1;", "--record", place.record), 0)
    other = os.path.join(place.folder, "other")
    expect_usage(pawl("run", *cli.BASE, "--replay", place.record, "--record", other), "exclude each other")
    expect_usage(pawl("run", *cli.BASE, "--resume", place.record, "--replay", place.record), "exclude")
    expect_usage(pawl("run", *cli.BASE, "--resume", place.record, cli.program("return 1;")), "leave PROGRAM out")
    expect_usage(pawl("run", *cli.BASE), "PROGRAM is missing")
    expect_usage(pawl("run", *cli.BASE, "--resume", place.record), "was not suspended, it ended: ok")
    expect_usage(pawl("run", *cli.BASE, "--replay", other), "No such file")
    assert not os.path.exists(other)


@test
def records_of_others_are_refused():
    place = Place("others")
    expect(place.run("return 1;", "--record", place.record), 0)
    os.chmod(place.record, 0o622)
    expect_usage(pawl("run", *cli.BASE, "--replay", place.record), "others can write to it")
    os.chmod(place.record, 0o600)
    if os.geteuid() == 0:
        os.chown(place.record, 12345, -1)
        expect_usage(pawl("run", *cli.BASE, "--replay", place.record), "belongs to another user")
        os.chown(place.record, 0, -1)
    expect_usage(pawl("run", *cli.BASE, "--replay", place.folder), "record|regular|Is a directory|folder")
    fifo = os.path.join(place.folder, "fifo")
    os.mkfifo(fifo)
    expect_usage(pawl("run", *cli.BASE, "--replay", fifo), "it is no regular file")
    expect_usage(pawl("run", *cli.BASE, "--resume", fifo), "it is no regular file")
    write("others/record", "{}\n")
    expect_usage(pawl("run", *cli.BASE, "--replay", place.record), "line 1 of the record")
    write("others/record", "")
    expect_usage(pawl("run", *cli.BASE, "--replay", place.record), "line 1 of the record: there is none")


@test
def without_a_record_nothing_is_put_off():
    place = Place("denied")
    done = expect(place.run("return tools.put_away(1);", *place.gate), 1)
    assert done.json["error"]["kind"] == "stage_denied", done
    assert "put off by the stage 'approve': ask the owner" in done.json["error"]["message"], done
    assert place.calls() == 0


def suspend_and_resume(place, text, expected, expected_calls, providers=(None,)):
    """Suspends a program, twice, and lets it go on; each stretch on the next of the providers."""
    chosen = lambda number: providers[number % len(providers)]
    done = expect(place.run(text, *place.gate, "--record", place.record, provider=chosen(0)), 1)
    assert done.json["error"]["kind"] == "suspended", done
    before = place.calls()
    again = expect(pawl("run", *base(chosen(1)), "--json", "--resume", place.record), 1)
    assert again.json["error"]["kind"] == "suspended", again
    assert before <= place.calls() < expected_calls, "what waited behind it may have begun"
    place.decide(0)
    end = expect(pawl("run", *base(chosen(2)), "--json", "--resume", place.record), 0)
    assert end.json["value"] == expected, end
    assert place.calls() == expected_calls
    expect_usage(pawl("run", *base(None), "--resume", place.record), "was not suspended, it ended: ok")
    replayed = expect(pawl("run", *base(chosen(0)), "--json", "--replay", place.record), 0)
    assert outcome(replayed) == outcome(end), (end, replayed)
    assert place.calls() == expected_calls
    return done, end


@test
def a_run_is_suspended_and_goes_on():
    for provider in cli.providers_to_try():
        place = Place("suspend-" + provider[-1])
        done, end = suspend_and_resume(
            place, "console.log('a'); tools.get(1); var x = tools.put_away(2); console.log('b'); "
                   "return [x, tools.get(3)];", [{"id": 2}, {"id": 3}], 3, (provider[-1],))
        assert done.json["logs"] == ["a"] and end.json["logs"] == ["a", "b"], (done, end)
        assert [call["status"] for call in done.json["call_log"]] == ["ok", "denied"], done
        assert end.json["calls"] == 3


@test
def a_decision_can_be_no():
    place = Place("no")
    text = "try { tools.put_away(1); } catch (e) { return e.name + ' ' + e.tool + ' ' + e.code; }"
    expect(place.run(text, *place.gate, "--record", place.record), 1)
    place.decide(1)
    done = expect(pawl("run", *cli.BASE, "--json", "--resume", place.record), 0)
    assert done.json["value"] == "ToolError put_away stage_denied", done
    assert place.calls() == 0


@test
def the_gates_of_the_beginning_stay():
    place = Place("gates")
    expect(place.run("return tools.put_away(1);", *place.gate, "--record", place.record), 1)
    done = expect(pawl("run", *cli.BASE, "--json", "--resume", place.record,
                       *cli.stage("allow", allow=["*"])), 1)
    assert done.json["error"]["kind"] == "suspended", done
    assert place.calls() == 0


MODERN = """
interface Thing { id: number }
const seen = new Map<string, Thing>();
let ticks = 0;
const timer = setInterval(() => { ticks++; }, 1);
async function put(id: number): Promise<Thing> {
    try {
        return await tools.put_away(id);
    } finally {
        console.log("put", id);
    }
}
const [a, b, c] = await Promise.all([tools.get(1), put(2), tools.get(3)]);
seen.set("a", a).set("b", b).set("c", c);
await new Promise(resolve => setTimeout(resolve, 5));
clearInterval(timer);
const failed = await tools.fail().catch(e => `${e.name} ${e.tool}: ${e.message}`);
return {ids: [...seen.values()].map(thing => thing.id), failed, ticked: ticks > 0};
"""


@test
def a_modern_program_goes_on_anywhere():
    """From its image where the next provider has the same engine: nothing of it runs twice."""
    expected = {"ids": [1, 2, 3], "failed": "ToolError fail: exit status 3: broken", "ticked": True}
    providers = javascript()
    cli.BASE[cli.BASE.index("--language") + 1] = "javascript"
    try:
        for i, provider in enumerate(providers):
            place = Place("modern-" + provider)
            turn = [providers[(i + j) % len(providers)] for j in range(len(providers))]
            suspend_and_resume(place, MODERN, expected, 3, turn)
            images = [line for line in place.lines() if "image" in line]
            assert ("quickjs" in provider) == bool(images), place.record
    finally:
        cli.BASE[cli.BASE.index("--language") + 1] = cli.LANGUAGE


@test
def a_spoilt_image_is_not_used():
    providers = [provider for provider in javascript() if "quickjs" in provider]
    if not providers:
        raise Skip("quickjs is not built")
    for provider in providers:
        place = Place("spoilt-" + provider)
        options = ["--level", "process", "--provider", provider, "--json"]
        done = pawl("run", *options, "--tools", place.tools, *place.gate, "--record", place.record,
                    cli.program("const a = await tools.get(1); return [a, await tools.put_away(2)];"))
        assert done.json["error"]["kind"] == "suspended", done
        lines = place.lines()
        lines[-1]["image"] = lines[-1]["image"][:400] + "AAAA" * 20
        write(os.path.relpath(place.record, cli.WORK), "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines),
              0o600)
        place.decide(0)
        done = expect(pawl("run", *options, "--resume", place.record), 0)
        assert done.json["value"] == [{"id": 1}, {"id": 2}], done
        assert place.calls() == 2


@test
def nothing_is_called_twice_after_a_crash():
    place = Place("crash", wait={"command": ["sh", "-c", 'echo x >>"$COUNT"; echo >"$FIFO"; sleep 1000']},
                  put_away={"command": COUNTED})
    fifo = os.environ["FIFO"] = os.path.join(place.folder, "fifo")
    os.mkfifo(fifo)
    text = "tools.put_away(1); return tools.wait();"
    expect(place.run(text, *place.gate, "--record", place.record), 1)
    place.decide(0)
    started = Started("run", *cli.BASE, "--resume", place.record)
    with open(fifo, encoding="utf-8") as reader:
        reader.read()
    expect_usage(pawl("run", *cli.BASE, "--resume", place.record), "being resumed by another process")
    started.signal(signal.SIGKILL)
    started.finish()
    expect_usage(pawl("run", *cli.BASE, "--resume", place.record), "was cut off")
    assert place.calls() == 2
    assert place.lines()[-1]["call"] == 2


@test
def a_resume_that_cannot_begin_changes_nothing():
    place = Place("nobody")
    expect(place.run("return tools.put_away(1);", *place.gate, "--record", place.record), 1)
    with open(place.record, "rb") as file:
        before = file.read()
    place.decide(0)
    expect(pawl("run", "--level", "machine", "--resume", place.record), 3)
    empty = tools({})
    expect_usage(pawl("run", *cli.BASE, "--resume", place.record, "--tools", empty),
                 "the functions are not those of the record")
    with open(place.record, "rb") as file:
        assert file.read() == before
    expect(pawl("run", *cli.BASE, "--resume", place.record), 0)
    assert place.calls() == 1


if __name__ == "__main__":
    sys.exit(cli.main())
