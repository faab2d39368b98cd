#!/usr/bin/env python3
"""Tests of the command line from end to end, through the built pawl. Prints TAP."""

import contextlib
import errno
import fcntl
import json
import os
import pty
import re
import resource
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import traceback

PAWL = os.environ.get("PAWL", "pawl")
PATIENCE = 60  # seconds, for what should be over at once
TESTS = []


class Skip(Exception):
    pass


def test(function):
    TESTS.append(function)
    return function


# --- Helpers ---------------------------------------------------------------------------------


class Done:
    """How a process ended."""

    def __init__(self, status, stdout, stderr):
        self.status = status
        self.stdout = stdout
        self.stderr = stderr

    @property
    def json(self):
        lines = self.stdout.splitlines()
        assert len(lines) == 1, f"stdout is not one line: {self.stdout[:500]!r} {self.stderr!r}"
        return json.loads(lines[0])

    def __repr__(self):
        return f"status {self.status}\nstdout {self.stdout[:2000]!r}\nstderr {self.stderr[-2000:]!r}"


def pawl(*arguments, stdin=None, **options):
    process = subprocess.run(
        [PAWL, *arguments],
        input=stdin.encode() if stdin is not None else None,
        stdin=subprocess.DEVNULL if stdin is None else None,
        capture_output=True,
        timeout=PATIENCE,
        **options,
    )
    return Done(process.returncode, process.stdout.decode(), process.stderr.decode())


def write(name, text, mode=0o644):
    path = os.path.join(WORK, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, mode)
    return path


def program(text):
    return write("program.js", text)


def tools(functions):
    return write("tools.json", json.dumps({"namespaces": {"tools": {"functions": functions}}}))


def run(text, *options, **keywords):
    return pawl("run", *BASE, *options, program(text), **keywords)


def run_json(text, *options, **keywords):
    return run(text, "--json", *options, **keywords)


def expect(done, status, stdout=None, stderr=None):
    """`stdout` and `stderr` are regular expressions; "" demands that there is nothing."""
    assert done.status == status, done
    for actual, pattern in ((done.stdout, stdout), (done.stderr, stderr)):
        if pattern == "":
            assert actual == "", done
        elif pattern is not None:
            assert re.search(pattern, actual), f"no match for {pattern!r} in\n{done}"
    return done


def expect_usage(done, pattern, json_too=False):
    expect(done, 2, None if json_too else "", r"\Apawl: ")
    assert re.search(pattern, done.stderr), f"no match for {pattern!r} in\n{done}"
    if json_too:
        assert done.json["ok"] is False and done.json["error"]["kind"] == "usage", done
        assert re.search(pattern, done.json["error"]["message"]), done


def processes_with(marker):
    """The processes that have a word among their arguments."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError), open(f"/proc/{pid}/cmdline", "rb") as file:
            if marker.encode() in file.read().split(b"\0"):
                found.append(int(pid))
    return found


def assert_gone(marker):
    """Waits for the end of processes that were killed; fails if one lives on."""
    for pid in processes_with(marker):
        with contextlib.suppress(ProcessLookupError):
            fd = os.pidfd_open(pid)
            ready, _, _ = select.select([fd], [], [], PATIENCE)
            os.close(fd)
            assert ready, f"process {pid} lives on"
    assert processes_with(marker) == []


class Started:
    """A pawl that runs, with its stderr to be read while it does."""

    def __init__(self, *arguments, **options):
        self.process = subprocess.Popen(
            [PAWL, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            **options,
        )

    def signal(self, number):
        self.process.send_signal(number)

    def finish(self):
        stdout, stderr = self.process.communicate(timeout=PATIENCE)
        return Done(self.process.returncode, stdout.decode(), stderr.decode())


class Terminal:
    """Runs pawl with streams on a pseudo-terminal; `output` is what would be seen."""

    def __init__(self, arguments, stdout=True, stderr=True, environment=None, columns=80):
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        self.master = master
        self.process = subprocess.Popen(
            [PAWL, *arguments],
            stdin=slave,
            stdout=slave if stdout else subprocess.PIPE,
            stderr=slave if stderr else subprocess.PIPE,
            env={**os.environ, "TERM": "xterm", **(environment or {})},
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        os.close(slave)
        self.output = b""

    def read_until(self, pattern):
        while not re.search(pattern, self.output):
            assert self.read_some(), f"ended without {pattern!r}: {self.output!r}"

    def read_some(self):
        ready, _, _ = select.select([self.master], [], [], PATIENCE)
        assert ready, f"nothing more came after {self.output!r}"
        try:
            data = os.read(self.master, 65536)
        except OSError as error:
            if error.errno != errno.EIO:
                raise
            data = b""
        self.output += data
        return data

    def type(self, keys):
        os.write(self.master, keys)

    def finish(self):
        while self.read_some():
            pass
        os.close(self.master)
        rest = self.process.communicate(timeout=PATIENCE)
        self.piped = b"".join(part for part in rest if part)
        return self.process.returncode


# --- Usage -----------------------------------------------------------------------------------


@test
def version_and_help():
    expect(pawl("--version"), 0, r"\Apawl \d+\.\d+\.\d+\n\Z", "")
    for arguments in (["--help"], ["-h"]):
        expect(pawl(*arguments), 0, r"(?s)run.*providers.*resolve.*stages.*check-config", "")
    for command in ("run", "providers", "resolve", "stages", "doctor", "check-config", "init-provider"):
        expect(pawl(command, "--help"), 0, rf"\Ausage: pawl {command} .*\n", "")
        expect(pawl(command, "--nonsense", "--help"), 0, r"--json", "")


@test
def wrong_usage():
    expect_usage(pawl(), "no command")
    expect_usage(pawl("walk"), "unknown command 'walk'")
    expect_usage(pawl("walk", "--json"), "unknown command 'walk'", True)
    expect_usage(pawl("run"), "PROGRAM is missing")
    expect_usage(pawl("run", "--json"), "PROGRAM is missing", True)
    expect_usage(pawl("run", "a.js", "b.js"), "one argument too many: 'b.js'")
    expect_usage(pawl("run", "--levle", "os", "a.js"), "unknown option '--levle'")
    expect_usage(pawl("run", "-x", "a.js"), "unknown option '-x'")
    expect_usage(pawl("run", "--level"), "option '--level' needs its argument LEVEL")
    expect_usage(pawl("run", "--json=yes", "a.js"), "option '--json' takes no argument")
    expect_usage(pawl("providers", "extra"), "one argument too many")


@test
def wrong_values_of_options():
    path = program("return 1;")
    for option, value, pattern in (
        ("--level", "docker", "docker"),
        ("--level", "", "''"),
        ("--timeout", "5", "'5' is not a time"),
        ("--timeout", "5 s", "not a time"),
        ("--timeout", "-1s", "not a time"),
        ("--max-calls", "many", "'many' is not a whole number"),
        ("--max-calls", "-1", "not a whole number"),
        ("--max-calls", "99999999999999999999", "too large"),
        ("--max-bytes", "1TB", "'1TB' is not a size"),
        ("--memory", "64MB", "not a size"),
        ("--memory", "99999999999G", "too large"),
        ("--max-output", "x", "not a size"),
        ("--egress", "some", "any, none or proxy=URL"),
        ("--egress", "proxy=", "any, none or proxy=URL"),
        ("--stage", "=x", "NAME"),
        ("--provider", "nobody", "no provider is called 'nobody'"),
        ("--language", "cobol", "'cobol'"),
        ("--stage", "nobody", "nobody"),
        ("--stage", "allow", "\"allow\" is missing"),
        ("--stage", "allow={", "JSON"),
        ("--stage", "allow={\"allow\": 1}", "array of patterns"),
        ("--config", "/no/such/file.json", "/no/such/file.json: No such file"),
        ("--tools", "/no/such/file.json", "/no/such/file.json: No such file"),
        ("--tools", "/", "not a regular file"),
    ):
        expect_usage(pawl("run", *BASE, "--json", option, value, path), pattern, True)
        expect_usage(pawl("run", *BASE, f"{option}={value}", path), pattern)


@test
def programs_that_cannot_be_read():
    expect_usage(pawl("run", *BASE, "/no/such/program.js"), "/no/such/program.js: No such file")
    expect_usage(pawl("run", *BASE, "/"), "Is a directory")
    with open(os.path.join(WORK, "large.js"), "wb") as file:
        file.write(b" " * ((16 << 20) + 1))
    expect_usage(pawl("run", *BASE, file.name), "16")
    os.remove(file.name)


@test
def programs_of_strange_bytes():
    for content, status in (
        (b"", 0),
        (b"\xef\xbb\xbfreturn 1;", 0),
        (b"#!/usr/bin/env pawl\r\nreturn 1;\r\n", 0),
        (b"return 1;\0", 1),
        (b"return '\xff';", 1),
        (b"// " + b"x" * (1 << 19) + b"\nreturn 1;", 0),
    ):
        path = os.path.join(WORK, "bytes.js")
        with open(path, "wb") as file:
            file.write(content)
        done = pawl("run", *BASE, "--json", path)
        assert done.status == status, (content[:50], done)
        if status == 1:
            assert done.json["error"]["kind"] == "syntax", done
    # What is too long for an engine is told in numbers.
    with open(path, "wb") as file:
        file.write(b"// " + b"x" * (4 << 20) + b"\nreturn 1;")
    done = pawl("run", *BASE, "--json", path)
    assert done.status == 0 or "4194317 bytes" in done.json["error"]["message"], done


# --- Results ---------------------------------------------------------------------------------


@test
def success_for_people():
    done = run("console.log('a log'); return {a: [1, 'x']};")
    expect(done, 0, r'\A\{"a":\[1,"x"\]\}\n\Z', r"\Aa log\n\Z")
    expect(run("console.log('only');"), 0, "", r"only\n.*nothing was returned")


@test
def failure_for_people():
    done = run("var a = 1;\nconsole.log('before');\n\tthrow new Error('broken');")
    expect(done, 1, "", r"before\n.*program\.js:3:.*runtime: .*broken\n    \tthrow new Error")
    assert "\033" not in done.stderr, done
    done = run("tools.get_log();", "--tools", tools({"get_logs": {"value": 1}}))
    expect(done, 1, "", r"  hint: .*get_logs")


@test
def results_as_json():
    done = run_json("console.log('x'); return 5;", "--max-calls", "3")
    expect(done, 0, None, "")
    result = done.json
    assert result["ok"] is True and result["value"] == 5 and result["has_value"] is True, done
    assert result["logs"] == ["x"] and "error" not in result, done
    for key in ("calls", "bytes", "call_log", "sandbox", "budget", "timing"):
        assert key in result, key
    done = run_json("throw new Error('no');")
    expect(done, 1, None, "")
    assert done.json["ok"] is False and done.json["error"]["kind"] == "runtime", done
    assert done.json["error"]["line"] == 1, done


@test
def program_from_stdin():
    expect(pawl("run", *BASE, "-", stdin="return 'in';"), 0, r'\A"in"\n\Z', "")
    expect(pawl("run", *BASE, "-", stdin="throw 1;"), 1, "", r"\Astdin")
    expect(pawl("run", *BASE, "--", "-", stdin="return 2;"), 0, r"\A2\n")


@test
def refusals():
    done = run_json("return 1;", "--level", "machine")
    expect(done, 3, None, r"\Apawl: no provider")
    error = done.json["error"]
    assert error["kind"] == "no_provider" and error["refused"], done
    assert all({"id", "level", "why"} == set(entry) for entry in error["refused"]), done
    expect(run("return 1;", "--level", "machine"), 3, "", "machine")


@test
def no_level_means_os():
    path = program("return 1;")
    done = pawl("run", "--json", "--language", LANGUAGE, path)
    if done.status == 0:
        assert done.json["sandbox"]["level"] in ("os", "machine"), done
    else:
        expect(done, 3, None, "level os")


@test
def output_that_cannot_be_written():
    with open("/dev/full", "w") as full:
        process = subprocess.run(
            [PAWL, "run", *BASE, program("return 1;")],
            stdin=subprocess.DEVNULL, stdout=full, stderr=subprocess.PIPE, timeout=PATIENCE,
        )
        assert process.returncode == 2 and b"cannot write to stdout" in process.stderr, process
        for arguments in (["--version"], ["--help"], ["providers"], ["run", "--help"]):
            process = subprocess.run([PAWL, *arguments], stdout=full, stderr=subprocess.PIPE)
            assert process.returncode == 2, (arguments, process)
    reader, writer = os.pipe()
    os.close(reader)
    process = subprocess.run(
        [PAWL, "run", *BASE, program("return 1;")],
        stdin=subprocess.DEVNULL, stdout=writer, stderr=subprocess.PIPE, timeout=PATIENCE,
    )
    os.close(writer)
    assert process.returncode == 2 and b"Broken pipe" in process.stderr, process


@test
def standard_streams_that_are_closed():
    path, functions = program("return tools.echo(7);"), tools({"echo": {"command": ["cat"]}})
    command = f'exec "$0" run {" ".join(BASE)} --tools {functions} {path}'
    for closed in ("<&-", "2>&-", "<&- 2>&-"):
        process = subprocess.run(
            ["sh", "-c", f"{command} {closed}", PAWL], capture_output=True, timeout=PATIENCE
        )
        assert process.stdout == b"7\n" and process.returncode == 0, (closed, process)


# --- Configuration ---------------------------------------------------------------------------


@test
def malformed_configurations():
    for text, place in (
        ("{", "1:2: "),
        ('{\n  "levle": "os"\n}', "2:3: unknown key"),
        ('{"level": "docker"}', "1:11: "),
        ('{"budget": {"wall_clock": 5}}', "1:27: a time needs a unit"),
        ('{"caps": {"max_memory": "much"}}', "1:25: "),
        ('{"plugin_dirs": ["plugins"]}', "1:18: "),
        ('{"plugin_dirs": ["/no/such/directory"]}', "1:18: .*/no/such/directory"),
        ('{"providers": [{"id": "x", "plugin": "no-such-plugin"}]}', "1:16: provider \"x\".*no-such-plugin"),
        ('{"providers": [{"id": "x", "plugin": "%s", "config": {"nonsense": 1}}]}' % PLUGIN,
         "1:16: provider \"x\".*nonsense"),
        ('{"stages": [{"plugin": "no-such-stage"}]}', "1:13: stage \"no-such-stage\""),
        ('{"stages": [{"plugin": "allow", "config": {"allow": 1}}]}', "1:13: stage \"allow\".*array"),
    ):
        path = write("pawl.json", text)
        pattern = re.escape(path) + ":" + place
        expect_usage(pawl("check-config", path), pattern)
        expect_usage(pawl("check-config", "--json", path), pattern, True)
        expect_usage(pawl("providers", "--config", path), pattern)
        expect_usage(pawl("stages", "--config", path), pattern)
        expect_usage(pawl("resolve", "--config", path), pattern)
        expect_usage(run_json("return 1;", "--config", path), pattern, True)


@test
def sound_configurations():
    path = write("pawl.json", """
        // comments are allowed
        {"level": "process", "caps": {"max_calls": 5}, "budget": {"wall_clock": "9s", "max_calls": 3},
         "providers": [{"id": "mine", "plugin": "%s"}],
         "stages": [{"plugin": "allow", "config": {"allow": ["*"]}}]}""" % PLUGIN)
    expect(pawl("check-config", path), 0, "level process, 1 provider, 1 stage\n", "")
    expect(pawl("check-config", "--config", path), 0, "level process")
    expect_usage(pawl("check-config", "--config", path, path), "two files")
    assert pawl("check-config", "--json", path).json == {
        "ok": True, "path": path, "level": "process", "providers": 1, "stages": 1,
    }
    listed = pawl("providers", "--json", "--config", path).json["providers"]
    assert [provider["id"] for provider in listed] == ["mine"], listed
    spec = pawl("resolve", "--json", "--config", path, "--language", LANGUAGE,
                "--max-calls", "100").json
    assert spec["provider"] == "mine" and spec["level"] == "process", spec
    assert spec["budget"]["max_calls"] == 5 and spec["capped"] == ["max_calls"], spec
    assert spec["budget"]["wall_clock_ms"] == 9000, spec
    done = pawl("run", "--json", "--config", path, "--language", LANGUAGE, program("return 1;"))
    expect(done, 0)
    assert done.json["sandbox"]["provider"] == "mine", done
    assert done.json["budget"]["max_calls"]["limit"] == 3, done


@test
def configuration_of_the_environment():
    path = write("elsewhere/pawl.json", '{"level": "process"}')
    environment = {**os.environ, "PAWL_CONFIG": path}
    expect(pawl("check-config", env=environment), 0, re.escape(path) + ": level process")
    environment = {**os.environ, "XDG_CONFIG_HOME": os.path.join(WORK, "xdg")}
    environment.pop("PAWL_CONFIG", None)
    path = write("xdg/pawl/pawl.json", '{"level": "machine"}')
    expect(pawl("check-config", env=environment), 0, "level machine")
    environment["PAWL_CONFIG"] = "/no/such/pawl.json"
    expect_usage(pawl("check-config", env=environment), "/no/such/pawl.json: No such file")
    # Never the current directory.
    environment = {**os.environ, "HOME": WORK}
    environment.pop("PAWL_CONFIG", None)
    write("cwd/pawl.json", "{ malformed")
    done = pawl("check-config", env=environment, cwd=os.path.join(WORK, "cwd"))
    assert done.status == 0 and "cwd" not in done.stdout, done


@test
def max_output_of_the_configuration():
    path = write("pawl.json", '{"budget": {"max_output": 100}}')
    text = "return '" + "x" * 200 + "';"
    assert run_json(text, "--config", path).json["error"]["kind"] == "output_limit"
    expect(run_json(text, "--config", path, "--max-output", "1K"), 0)


@test
def stages_of_the_configuration_come_first():
    path = write("pawl.json", """{"stages": [{"plugin": "allow",
        "config": {"allow": ["*"], "deny": ["tools.a"]}}]}""")
    functions = tools({"a": {"value": 1}, "b": {"value": 2}})
    options = ("--config", path, "--tools", functions)
    second = ("--stage", 'allow={"allow": ["*"], "deny": ["tools.b"]}')
    assert run_json("return tools.a();", *options).json["error"]["kind"] == "stage_denied"
    assert run_json("return tools.b();", *options).json["value"] == 2
    assert run_json("return tools.b();", *options, *second).json["error"]["kind"] == "stage_denied"


# --- Listings --------------------------------------------------------------------------------


@test
def providers_are_listed():
    listed = pawl("providers", "--json").json
    assert set(listed) == {"providers", "refused"}, listed
    levels = ["none", "process", "os", "machine"]
    keys = [(levels.index(entry["level"]), entry["id"]) for entry in listed["providers"]]
    assert keys == sorted(keys) and keys, keys
    for entry in listed["providers"]:
        assert entry["languages"] and entry["threads"] in ("serial", "instance", "parallel"), entry
    expect(pawl("providers"), 0, re.escape(PROVIDER), "")


@test
def stages_are_listed():
    listed = pawl("stages", "--json").json
    allow = [entry for entry in listed["stages"] if entry["name"] == "allow"]
    assert len(allow) == 1 and allow[0]["path"].endswith("/pawl-allow-stage.so"), listed
    expect(pawl("stages"), 0, r"allow .*pattern", "")


@test
def refused_candidates_are_listed():
    directory = os.path.join(WORK, "plugins")
    os.makedirs(directory, exist_ok=True)
    os.chmod(directory, 0o755)
    write("plugins/pawl-text-provider.so", "this is no plugin", 0o755)
    write("plugins/pawl-gate-stage.so", "this is no plugin", 0o755)
    path = write("pawl.json", json.dumps({"plugin_dirs": [directory]}))
    listed = pawl("providers", "--json", "--config", path).json["refused"]
    mine = [entry for entry in listed if entry.get("path", "").startswith(directory)]
    assert len(mine) == 1 and mine[0]["reason"], listed
    listed = pawl("stages", "--json", "--config", path).json["refused"]
    assert [os.path.basename(entry["path"]) for entry in listed] == ["pawl-gate-stage.so"], listed
    expect(pawl("providers", "--config", path), 0, "(?s)Cannot be used:.*text")
    done = pawl("run", "--json", "--config", path, "--provider", "text", program("return 1;"))
    expect(done, 3, None, "the provider 'text' cannot be used: ")
    assert done.json["error"]["refused"][0]["id"] == "text", done
    shutil.rmtree(directory)


@test
def nothing_is_found_in_an_empty_directory():
    directory = os.path.join(WORK, "empty")
    os.makedirs(directory, exist_ok=True)
    os.chmod(directory, 0o755)
    for place in (directory, "/no/such/directory"):
        environment = {**os.environ, "PAWL_PLUGIN_DIR": place}
        expect(pawl("providers", env=environment), 0, "No provider was found in " + place)
        assert pawl("providers", "--json", env=environment).json == {"providers": [], "refused": []}
        assert pawl("stages", "--json", env=environment).json == {"stages": [], "refused": []}
        done = pawl("run", "--json", program("return 1;"), env=environment)
        expect(done, 3)
        assert done.json["error"]["kind"] == "no_provider", done


@test
def resolution_is_explained():
    done = pawl("resolve", "--json", "--level", "process", "--language", LANGUAGE)
    spec = done.json
    assert done.status == 0 and spec["ok"] is True and spec["language"] == LANGUAGE, done
    assert spec["egress"] == "any" and spec["capped"] == [], spec
    listed = pawl("providers", "--json").json["providers"]
    assert len(spec["refused"]) == len(listed) - 1, spec
    expect(pawl("resolve", "--level", "process", "--language", LANGUAGE, "--timeout", "90s",
                "--memory", "64M"), 0, r"(?s)would run it.*90s.*64MiB", "")
    expect(pawl("resolve", "--level", "machine"), 3, "", "machine")
    assert pawl("resolve", "--json", "--level", "machine").json["error"]["kind"] == "no_provider"


# --- Tools files -----------------------------------------------------------------------------


@test
def malformed_tools_files():
    for text, pattern in (
        ("", "1:1: "),
        ("{}", '1:1: "namespaces" is missing'),
        ('{"namespaces": {\n "t": {"functions": {"f": {}}}}}', '2:27: a function needs'),
        ('{"namespaces": {"t": {"functions": {"f": {"value": NaN}}}}}', "1:52: "),
        ('{"namespaces": {"if": {"functions": {}}}}', "1:17: .*if"),
        ('{"namespaces": {"console": {"functions": {}}}}', "1:17: .*console"),
        ('{"namespaces": {"t": {"functions": {"f": {"value": 1, "signature": "f(a"}}}}}', "1:37: .*signature"),
        ('{"namespaces": {"t": {"functions": {"a": {"value": 1}, "a": {"value": 2}}}}}', '1:56: the key "a"'),
        ('{"namespaces": {"t": {"functions": {"f": {"command": ["x"], "timeout": 5}}}}}', "1:72: a time"),
        ('{"namespaces": {"t": {"functions": {}, "error_class": {"name": "E", "member_property": "stack"}}}}',
         "1:17: .*stack"),
    ):
        path = write("tools.json", text)
        pattern = re.escape(path) + ":" + pattern
        expect_usage(run_json("return 1;", "--tools", path), pattern, True)
        expect_usage(run("return 1;", "--tools", path), pattern)


@test
def names_that_collide():
    path = write("tools.json", """{"namespaces": {"tools": {"functions": {
        "a": {"value": 1},
        "a": {"value": 2}}}}}""")
    expect_usage(run_json("return 1;", "--tools", path), "tools.json:3:9: ", True)
    # A cleaned name that collides is not given; the functions stay reachable by their own.
    path = tools({"get-x": {"value": 1}, "get_x": {"value": 2}, "get.x": {"value": 3}})
    done = run_json("return [tools['get-x'](), tools.get_x(), tools['get.x']()];", "--tools", path)
    assert done.json.get("value") == [1, 2, 3], done


@test
def commands_run_where_the_tools_file_is():
    write("folder/where", "#!/bin/sh\npwd\n", 0o755)
    path = write("folder/tools.json", json.dumps({"namespaces": {"tools": {"functions": {
        "relative": {"command": ["./where"], "returns": "text"},
        "in_path": {"command": ["pwd"], "returns": "text"},
        "absolute": {"command": [os.path.join(WORK, "folder", "where")], "returns": "text"},
    }}}}))
    text = "return [tools.relative(), tools.in_path(), tools.absolute()];"
    folder = os.path.realpath(os.path.join(WORK, "folder")) + "\n"
    for directory, name in (("/", path), (WORK, "folder/tools.json"),
                            (os.path.join(WORK, "folder"), "tools.json")):
        done = run_json(text, "--tools", name, cwd=directory)
        assert done.json.get("value") == [folder] * 3, done


@test
def commands_get_no_shell():
    path = tools({"show": {"command": ["printf", "%s", "$HOME; `id` $(id) * \" '"], "returns": "text"}})
    assert run_json("return tools.show();", "--tools", path).json["value"] == "$HOME; `id` $(id) * \" '"


def call_error(function, *options):
    """What the call of a function failed with."""
    done = run_json("return tools.f({a: 1});", "--tools", tools({"f": function}), *options)
    assert done.status == 1, done
    entry = done.json["call_log"][0]
    assert entry["status"] == "error", done
    return entry["error"]


@test
def commands_that_fail():
    write("text", "no shebang, no program\n", 0o755)
    write("data", "not executable\n", 0o644)
    for command, pattern in (
        (["./no-such"], r'cannot run "./no-such" \(in .*\): No such file or directory'),
        (["no-such-command-anywhere"], "No such file or directory in PATH"),
        (["./data"], "Permission denied; is it executable"),
        (["./text"], "Exec format error; a script begins with a line #!"),
        (["sh", "-c", "exit 7"], "exit status 7; nothing on stderr"),
        (["sh", "-c", "echo one >&2; echo two >&2; exit 1"], "exit status 1: one\ntwo$"),
        (["sh", "-c", "echo token=abcdef >&2; exit 1"], r"token=\[redacted\]$"),
        (["sh", "-c", "kill -KILL $$"], "ended by signal SIGKILL"),
        (["sh", "-c", "kill -PIPE $$"], "ended by signal SIGPIPE"),
        (["echo", "hello"], "JSON"),
        (["true"], "printed nothing"),
        (["printf", r"\303"], "not UTF-8"),
    ):
        error = call_error({"command": command})
        assert re.search(pattern, error), (command, error)


@test
def commands_that_print_too_much():
    error = call_error({"command": ["sh", "-c", "head -c 100000000 /dev/zero | tr '\\0' 1"]})
    assert "printed more than 16 MiB" in error, error
    error = call_error({"command": ["yes"], "returns": "text"})
    assert "printed more than 16 MiB" in error, error
    done = run_json("try { tools.f(); } catch (e) { return e.message.length < 10000; }", "--tools",
                    tools({"f": {"command": ["sh", "-c", "head -c 50000000 /dev/zero | tr '\\0' x >&2; exit 1"]}}))
    assert done.json["value"] is True, done


@test
def commands_that_do_not_read():
    path = tools({"f": {"command": ["sh", "-c", "exec <&-; echo 1"]}, "g": {"command": ["echo", "2"]}})
    text = "var s = 'x'; while (s.length < 1000000) s += s; return [tools.f(s), tools.g(s)];"
    assert run_json(text, "--tools", path).json["value"] == [1, 2]


@test
def commands_that_never_end():
    marker = f"98{os.getpid()}.1"
    error = call_error({"command": ["sleep", marker], "timeout": "100ms"})
    assert "100ms" in error, error
    assert_gone(marker)
    call_error({"command": ["sh", "-c", f"trap '' TERM; sleep {marker} & wait; wait"],
                "timeout": "100ms"})
    assert_gone(marker)
    done = run_json("return tools.f();", "--timeout", "300ms",
                    "--tools", tools({"f": {"command": ["sleep", marker]}}))
    assert done.json["error"]["kind"] == "deadline", done
    assert_gone(marker)


@test
def commands_that_leave_something_behind():
    marker = f"97{os.getpid()}.1"
    path = tools({"f": {"command": ["sh", "-c", f"sleep {marker} & echo 5"]}})
    done = run_json("return tools.f();", "--tools", path)
    assert done.json["value"] == 5, done
    assert_gone(marker)


@test
def constants_keep_their_text():
    path = write("tools.json", '{"namespaces": {"tools": {"functions": {"f": {"value": '
                               '[-0, 1.0, 12345678901234567890, "\\u00e9", /* no */ {"__proto__": 1}]}}}}}')
    done = run_json("return tools.f();", "--tools", path)
    assert '"value":[-0,' in done.stdout and done.json["value"][4] == {"__proto__": 1}, done


@test
def discover_describes_the_tools_file():
    path = tools({
        "get_logs": {"value": 1, "signature": "get_logs(host)", "description": "Log lines of a host"},
        "list_hosts": {"value": 1, "description": "All hosts"},
        "set_label": {"value": 1},
    })
    found = run_json("return discover('host');", "--tools", path).json["value"]
    assert [entry["name"] for entry in found] == ["tools.list_hosts", "tools.get_logs"], found
    assert found[1] == {"name": "tools.get_logs", "signature": "get_logs(host)",
                        "description": "Log lines of a host"}, found
    everything = run_json("return discover('');", "--tools", path).json["value"]
    assert len(everything) == 3 and everything[2]["signature"] is None, everything


# --- Interruption ----------------------------------------------------------------------------


def interrupt_in_a_call(number, command, *options):
    """Sends a signal while a command is running, which says so through a FIFO."""
    fifo = os.path.join(WORK, "fifo")
    with contextlib.suppress(FileNotFoundError):
        os.remove(fifo)
    os.mkfifo(fifo)
    path = tools({"f": {"command": ["sh", "-c", f"echo > {fifo}; {command}"]}})
    started = Started("run", *BASE, *options, "--tools", path, program("return tools.f();"))
    with open(fifo) as reader:
        reader.read()
    started.signal(number)
    return started.finish()


@test
def interrupts_end_a_call():
    marker = f"96{os.getpid()}.1"
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        done = interrupt_in_a_call(number, f"exec sleep {marker}", "--json")
        expect(done, 1, None, "")
        assert done.json["error"]["kind"] == "abort", done
        assert done.json["calls"] == 1, done
        assert_gone(marker)
    done = interrupt_in_a_call(signal.SIGINT, f"trap '' TERM INT; sleep {marker} & wait; wait")
    expect(done, 1, "", "abort")
    assert_gone(marker)


@test
def interrupts_end_a_loop():
    started = Started("run", *BASE, program("console.log('started'); for (;;) {}"))
    assert started.process.stderr.readline() == b"started\n"
    started.signal(signal.SIGINT)
    done = started.finish()
    expect(done, 1, "", "abort")


@test
def ignored_interrupts_stay_ignored():
    text = "console.log('started'); var end = Date.now() + 300; while (Date.now() < end) {} return 'end';"
    started = Started("run", *BASE, program(text),
                      preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN))
    assert started.process.stderr.readline() == b"started\n"
    started.signal(signal.SIGINT)
    expect(started.finish(), 0, '"end"')


@test
def log_entries_come_as_they_happen():
    # Were they kept until the end, the program would never come to it: the loop waits for us.
    fifo = os.path.join(WORK, "fifo-in")
    with contextlib.suppress(FileNotFoundError):
        os.remove(fifo)
    os.mkfifo(fifo)
    path = tools({"wait": {"command": ["cat", fifo]}})
    started = Started("run", *BASE, "--tools", path,
                      program("console.log('first'); return tools.wait();"))
    assert started.process.stderr.readline() == b"first\n"
    with open(fifo, "w") as writer:
        writer.write("8")
    expect(started.finish(), 0, r"\A8\n\Z", "")


# --- Terminals -------------------------------------------------------------------------------


@test
def colours_on_a_terminal_only():
    path = program("throw new Error('x');")
    terminal = Terminal(["run", *BASE, path])
    assert terminal.finish() == 1
    assert b"\033[1;31mruntime:\033[0m" in terminal.output, terminal.output
    for environment in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        terminal = Terminal(["run", *BASE, path], environment=environment)
        terminal.finish()
        assert b"\033" not in terminal.output and b"runtime:" in terminal.output, terminal.output
    terminal = Terminal(["run", *BASE, path], environment={"NO_COLOR": ""})
    terminal.finish()
    assert b"\033[1;31m" in terminal.output, terminal.output
    terminal = Terminal(["run", *BASE, path], stderr=False)
    terminal.finish()
    assert b"\033" not in terminal.piped and b"runtime:" in terminal.piped, terminal.piped


@test
def a_live_line_on_a_terminal_only():
    path = tools({"wait": {"command": ["sh", "-c", "read x < fifo-live; echo 3"]}})
    fifo = os.path.join(WORK, "fifo-live")
    os.mkfifo(fifo)
    arguments = ["run", *BASE, "--tools", path, program("return tools.wait();")]
    terminal = Terminal(arguments, stdout=False)
    terminal.read_until(rb"1 in flight, 0 done: tools\.wait")
    with open(fifo, "w") as writer:
        writer.write("\n")
    assert terminal.finish() == 0
    assert terminal.piped == b"3\n", terminal.piped
    # What is left to see when the line has been erased is nothing.
    assert terminal.output.rsplit(b"\r\033[K", 1)[-1] == b"", terminal.output
    # On a narrow terminal it stays one line.
    terminal = Terminal(arguments, stdout=False, columns=24)
    terminal.read_until(rb"in flight")
    with open(fifo, "w") as writer:
        writer.write("\n")
    terminal.finish()
    shown = re.sub(rb"\033\[[0-9;]*[mK]", b"", terminal.output).split(b"\r")
    assert max(map(len, shown)) < 24, shown
    # And none where nobody looks.
    terminal = Terminal(["run", *BASE, "--tools", tools({"f": {"command": ["echo", "1"]}}),
                         program("return tools.f();")], stderr=False)
    terminal.finish()
    assert b"in flight" not in terminal.piped + terminal.output


@test
def control_characters_are_shown_on_a_terminal():
    text = r"console.log('\u001b]0;title\u0007 \u009b31m red'); throw new Error('\u001b[2J gone');"
    terminal = Terminal(["run", *BASE, program(text)], environment={"NO_COLOR": "1"})
    terminal.finish()
    assert b"\033]" not in terminal.output and b"\xc2\x9b" not in terminal.output, terminal.output
    assert rb"\u001b]0;title\u0007 \u009b31m red" in terminal.output, terminal.output
    assert rb"\u001b[2J gone" in terminal.output, terminal.output
    terminal = Terminal(["run", *BASE, program(r"return '\u001b[31m\u009b\u007f';")],
                        environment={"NO_COLOR": "1"})
    terminal.finish()
    assert rb'"\u001b[31m\u009b\u007f"' in terminal.output, terminal.output
    # Into a pipe the text goes as it is.
    done = run(text)
    assert "\033]0;title\007 \x9b31m red" in done.stderr, done


@test
def control_c_on_a_terminal():
    marker = f"95{os.getpid()}.1"
    path = tools({"never": {"command": ["sleep", marker]}})
    terminal = Terminal(["run", *BASE, "--json", "--tools", path, program("return tools.never();")],
                        stdout=False)
    terminal.read_until(rb"in flight")
    terminal.type(b"\x03")
    assert terminal.finish() == 1
    assert json.loads(terminal.piped)["error"]["kind"] == "abort", terminal.piped
    assert_gone(marker)


# --- Gates -----------------------------------------------------------------------------------


def stage(name, **config):
    return ("--stage", name + "=" + json.dumps(config))


def providers_to_try():
    """The engine itself, and what isolates it; for each the options that choose it."""
    ids = {entry["id"]: entry["level"] for entry in pawl("providers", "--json").json["providers"]}
    for name in (PROVIDER, f"subprocess-{PROVIDER}", f"confine-{PROVIDER}"):
        if name in ids:
            yield ["run", "--json", "--level", "process", "--language", LANGUAGE, "--provider", name]


@test
def gates_are_listed():
    names = [entry["name"] for entry in pawl("stages", "--json").json["stages"]]
    assert {"allow", "approve", "audit", "quota"} <= set(names), names


@test
def verdicts_name_their_gate_in_the_order_given():
    path = tools({"a": {"value": 1}})
    deny = stage("allow", allow=[])
    quota = stage("quota", limits=[{"match": "*", "argument_bytes": 1}])
    text = "return tools.a({});"
    for options, name in (((*deny, *quota), "allow"), ((*quota, *deny), "quota")):
        error = run_json(text, "--tools", path, *options).json["error"]
        assert error["kind"] == "stage_denied", error
        assert f"denied by the stage '{name}': " in error["message"], error


@test
def quota_denies_what_is_too_much():
    path = tools({"a": {"value": "0123456789"}, "b": {"value": 2}})
    text = """var n = 0; try { for (;;) { tools.a(); n++; } } catch (e) {
        return [n, e.code, e.message, tools.b()]; }"""
    for limit, said in (({"calls": 3}, "3 times in a run"), ({"per_minute": 3}, "3 times in a minute"),
                        ({"bytes": 36}, "returned 36 bytes")):
        done = run_json(text, "--tools", path, *stage("quota", limits=[{"match": "*.a", **limit}]))
        number, code, message, other = done.json["value"]
        assert (number, code, other) == (3, "stage_denied", 2) and said in message, done
        statuses = [entry["status"] for entry in done.json["call_log"]]
        assert statuses == ["ok", "ok", "ok", "denied", "ok"], done
    expect_usage(run(text, "--tools", path, *stage("quota", limits=[])), "array of 1 to 1024 limits")


@test
def audit_writes_down_what_is_called():
    log = os.path.join(WORK, "audit.jsonl")
    path = tools({"good": {"value": "12345678"}, "bad": {"command": ["false"]}})
    text = "try { tools.bad(1); } catch (e) {} return tools.good({secret: '\\u202e'});"
    for kept, of_good in (("full", {"arguments": '{"secret":"\\u202e"}'}),
                          ("none", {})):
        with contextlib.suppress(FileNotFoundError):
            os.remove(log)
        done = run_json(text, "--tools", path, *stage("audit", file=log, arguments=kept))
        assert done.json["value"] == "12345678", done
        assert os.stat(log).st_mode & 0o7777 == 0o600
        with open(log, encoding="utf-8") as file:
            lines = [json.loads(line) for line in file]
        assert len({line["run"] for line in lines}) == 1 and lines[0]["run"], lines
        assert [(line["event"], line["number"], line["name"]) for line in lines] == [
            ("call", 1, "tools.bad"), ("settled", 1, "tools.bad"),
            ("call", 2, "tools.good"), ("settled", 2, "tools.good")], lines
        assert [line.get("outcome") for line in lines] == [None, "error", None, "ok"], lines
        assert lines[3]["bytes"] == 10, lines
        if kept == "full":
            assert json.loads(lines[2]["arguments"]) == {"secret": "\u202e"}, lines
        else:
            assert "arguments" not in lines[2], lines
    with open(log, encoding="utf-8") as file:
        before = file.read()
    run(text, "--tools", path, *stage("audit", file=log))
    with open(log, encoding="utf-8") as file:
        assert file.read().startswith(before), "it was not appended to"


@test
def a_call_that_audit_cannot_write_does_not_happen():
    log = os.path.join(WORK, "full.jsonl")
    marker = os.path.join(WORK, "called")
    path = tools({"f": {"command": ["touch", marker], "returns": "text"}})

    def nothing_may_grow():
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))

    done = run_json("return tools.f();", "--tools", path, *stage("audit", file=log),
                    preexec_fn=nothing_may_grow)
    assert done.json["error"]["kind"] == "stage_failed", done
    assert "'audit' failed" in done.json["error"]["message"], done
    assert not os.path.exists(marker)
    os.chmod(log, 0o666)
    expect_usage(run("return 1;", *stage("audit", file=log)), "others may write it")
    os.remove(log)
    os.symlink(marker, log)
    expect_usage(run("return 1;", *stage("audit", file=log)), "symbolic link")
    assert not os.path.exists(marker)


def approver(script, **more):
    return stage("approve", command=["/bin/sh", "-c", script], **more)


@test
def a_command_approves():
    marker = os.path.join(WORK, "approved")
    path = tools({"f": {"command": ["touch", marker], "returns": "text"}})
    for script, kind, said in (
        ("grep -q '\"arguments\":{\"x\":5}}'", None, None),
        ("grep -q y; echo 'x must be 6'; exit 1", "stage_denied", "'approve': x must be 6"),
        ("exit 1", "stage_denied", "it was not approved"),
        ("exit 3", "stage_failed", "status 3"),
        ("kill -SEGV $$", "stage_failed", "signal 11"),
    ):
        with contextlib.suppress(FileNotFoundError):
            os.remove(marker)
        done = run_json("return tools.f({x: 5});", "--tools", path, *approver(script))
        assert done.json.get("error", {}).get("kind") == kind, done
        assert os.path.exists(marker) == (kind is None), done
        assert said is None or said in done.json["error"]["message"], done


@test
def waiting_is_not_the_programs_time():
    path = tools({"f": {"value": 1}, "g": {"command": ["echo", "2"], "timeout": "2s"}})
    write("program.js", "return [tools.f(), tools.g()];")
    for options in providers_to_try():
        done = pawl(*options, "--tools", path, "--timeout", "3s", *approver("sleep 2.2"),
                    os.path.join(WORK, "program.js"))
        assert done.json["ok"] and done.json["value"] == [1, 2], done
        timing = done.json["timing"]
        assert timing["waiting_ms"] > 4000 and timing["total_ms"] > timing["waiting_ms"], done
        used = done.json["budget"]["wall_clock_ms"]["used"]
        assert abs(used - (timing["total_ms"] - timing["waiting_ms"])) < 0.01, done


@test
def the_deadline_comes_all_the_same():
    path = tools({"f": {"value": 1}})
    write("program.js", "tools.f(); for (;;) {}")
    for options in providers_to_try():
        done = pawl(*options, "--tools", path, "--timeout", "700ms", *approver("exit 0"),
                    os.path.join(WORK, "program.js"))
        assert done.json["error"]["kind"] == "deadline" and done.json["calls"] == 1, done


@test
def an_interrupt_ends_the_asking():
    marker = f"94{os.getpid()}.1"
    fifo = os.path.join(WORK, "fifo-approve")
    os.mkfifo(fifo)
    path = tools({"f": {"value": 1}})
    started = Started("run", *BASE, "--json", "--tools", path,
                      *approver(f"echo > {fifo}; sleep {marker}", timeout="1h"),
                      program("return tools.f();"))
    with open(fifo) as reader:
        reader.read()
    started.signal(signal.SIGINT)
    done = started.finish()
    assert done.json["error"]["kind"] == "abort", done
    assert_gone(marker)


@test
def nobody_decides_in_time():
    path = tools({"f": {"value": 1}})
    done = run_json("return tools.f();", "--tools", path, *approver("sleep 1000", timeout="200ms"))
    assert done.json["error"]["kind"] == "stage_denied", done
    assert "nobody approved it in time" in done.json["error"]["message"], done


def asked_on_a_terminal(text, functions, answer, **config):
    """Runs a program that calls a function, and types when the question stands there."""
    terminal = Terminal(["run", *BASE, "--json", "--tools", tools(functions),
                         *stage("approve", terminal=True, **config), program(text)], stdout=False)
    terminal.read_until(rb"\[y/N\] $")
    if answer is not None:
        terminal.type(answer)
    terminal.finish()
    return terminal, json.loads(terminal.piped)


@test
def the_terminal_approves():
    functions = {"f": {"value": 1}}
    for answer in (b"y\n", b"Y\n", b"yes\n"):
        terminal, result = asked_on_a_terminal("return tools.f({x: 5});", functions, answer)
        assert result["ok"] and result["value"] == 1, result
        assert b"tools.f\r\n  {\"x\":5}\r\n" in terminal.output, terminal.output
    for answer in (b"\n", b"n\n", b"yy\n", b" y\n", b"yes please, by all means\n", b"\x04"):
        terminal, result = asked_on_a_terminal("return tools.f({x: 5});", functions, answer)
        assert result["error"]["kind"] == "stage_denied", (answer, result)
        assert "it was not approved" in result["error"]["message"], result


@test
def the_terminal_is_not_answered():
    functions = {"f": {"value": 1}}
    terminal, result = asked_on_a_terminal("return tools.f();", functions, b"y", timeout="500ms")
    assert "nobody approved it in time" in result["error"]["message"], result
    terminal, result = asked_on_a_terminal("return tools.f();", functions, b"\x03", timeout="1h")
    assert result["error"]["kind"] == "abort", result


@test
def what_was_typed_before_is_no_answer():
    fifo = os.path.join(WORK, "fifo-ahead")
    os.mkfifo(fifo)
    functions = {"wait": {"command": ["cat", fifo]}, "f": {"value": 1}}
    terminal = Terminal(["run", *BASE, "--json", "--tools", tools(functions),
                         *stage("approve", terminal=True, match=["tools.f"]),
                         program("tools.wait(); return tools.f();")], stdout=False)
    terminal.type(b"y\ny\n")
    terminal.read_until(rb"y\r\n.*y\r\n")
    with open(fifo, "w") as writer:
        writer.write("1")
    terminal.read_until(rb"\[y/N\] $")
    terminal.type(b"\n")
    terminal.finish()
    assert json.loads(terminal.piped)["error"]["kind"] == "stage_denied", terminal.piped


@test
def the_terminal_shows_no_control_characters():
    text = r"""return tools.f({a: '\u001b[2J\u009b1m\u202eevil\u200b \u00e9', b: new Array(9000).join('x')});"""
    terminal, result = asked_on_a_terminal(text, {"f": {"value": 1}}, b"n\n")
    question = terminal.output[terminal.output.index(b"The program wants"):]
    for raw in ("\x9b", "\u202e", "\u200b"):
        assert raw.encode() not in question, question
    assert b"\033[2J" not in question, question
    assert rb"\u001b[2J\u009b1m\u202eevil\u200b " + "\u00e9".encode() in question, question
    assert re.search(rb"\(and \d+ more bytes of arguments, which are not shown\)", question), question


# --- init-provider: what it writes is built and checked by tests/plugins/init-provider.sh ----------


@test
def the_beginnings_of_a_provider():
    made = os.path.join(WORK, "made")
    os.mkdir(made)
    done = expect(pawl("init-provider", "acme", cwd=made), 0, r'\Apawl-acme: .*"acme"', "")
    files = ["Makefile", "README.md", "json.c", "json.h", "programs.json", "provider.c"]
    assert sorted(os.listdir(f"{made}/pawl-acme")) == files, done
    with open(f"{made}/pawl-acme/provider.c", encoding="utf-8") as file:
        text = file.read()
    assert '.name = "acme"' in text and "@NAME@" not in text
    path = os.path.join(made, "elsewhere/")
    done = pawl("init-provider", "--json", "acme", path, umask=0o027)
    assert done.json == {"ok": True, "name": "acme", "directory": path}, done
    assert os.stat(path).st_mode & 0o777 == 0o750
    assert os.stat(f"{path}/Makefile").st_mode & 0o777 == 0o640


@test
def beginnings_that_are_refused():
    place = os.path.join(WORK, "refused")
    os.mkdir(place)
    for name in ("", "-a", "_a", "a/b", "../a", "A", "a b", "a" * 65, "\u00e9", "a\nb", "@NAME@"):
        expect_usage(pawl("init-provider", "--", name, cwd=place), "a provider's name is")
    for name in ("mujs", "quickjs", "subprocess", "confine", "javascript", "javascript-es5"):
        expect_usage(pawl("init-provider", name, cwd=place), "pawl itself has")
    expect_usage(pawl("init-provider"), r"NAME \[DIRECTORY\] is missing")
    expect_usage(pawl("init-provider", "a", "b", "c"), "too many")
    expect_usage(pawl("init-provider", "a", "", cwd=place), "cannot be made: No such file")
    expect_usage(pawl("init-provider", "a", "no/such/place", cwd=place), "cannot be made: No such file")
    assert os.listdir(place) == []


@test
def beginnings_replace_nothing():
    place = os.path.join(WORK, "there")
    os.makedirs(os.path.join(place, "empty"))
    os.makedirs(os.path.join(place, "full/kept"))
    write("there/file", "kept")
    os.symlink("nowhere", os.path.join(place, "link"))
    for name in ("empty", "full", "file", "link", "empty/"):
        expect_usage(pawl("init-provider", "--json", "acme", name, cwd=place), f"{name} exists", True)
    assert sorted(os.listdir(place)) == ["empty", "file", "full", "link"]
    assert os.listdir(f"{place}/empty") == [] and os.listdir(f"{place}/full") == ["kept"]


@test
def beginnings_are_whole_or_not_there():
    """Here a file cannot be written to its end."""
    place = os.path.join(WORK, "cut-off")
    os.mkdir(place)

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (10000, 10000))

    expect_usage(pawl("init-provider", "acme", cwd=place, preexec_fn=limit), "File too large")
    assert os.listdir(place) == []


# --- Running them ----------------------------------------------------------------------------


def choose_provider():
    """An engine in process, and what it runs: these tests are not about isolation."""
    listed = pawl("providers", "--json").json["providers"]
    for language in ("javascript-es5", "javascript"):
        for provider in listed:
            if language in provider["languages"] and provider["level"] == "process":
                return provider, language
    print("1..0 # SKIP there is no engine to run a program")
    sys.exit(0)


def main():
    global WORK, PROVIDER, PLUGIN, LANGUAGE, BASE
    for variable in ("PAWL_CONFIG", "XDG_CONFIG_HOME", "NO_COLOR"):
        os.environ.pop(variable, None)
    # A shell starts what runs in the background with interrupts ignored, and that is inherited.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with tempfile.TemporaryDirectory(prefix="pawl-cli-") as directory:
        WORK = os.path.realpath(directory)
        os.environ["HOME"] = WORK
        provider, LANGUAGE = choose_provider()
        PROVIDER, PLUGIN = provider["id"], provider["plugin"]
        BASE = ["--level", "process", "--language", LANGUAGE, "--provider", PROVIDER]
        chosen = [function for function in TESTS if len(sys.argv) < 2 or function.__name__ in sys.argv]
        print(f"1..{len(chosen)}")
        failed = 0
        for number, function in enumerate(chosen, 1):
            name = function.__name__.replace("_", " ")
            try:
                function()
            except Skip as why:
                print(f"ok {number} - {name} # SKIP {why}")
            except Exception:
                failed += 1
                print(f"not ok {number} - {name}")
                print("".join(f"# {line}\n" for line in traceback.format_exc().splitlines()), end="")
            else:
                print(f"ok {number} - {name}")
            sys.stdout.flush()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
