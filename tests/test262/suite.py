"""The files of the test262 suite, and how each becomes a program.

A suite is a checkout of https://github.com/tc39/test262, or the copy that comes with SpiderMonkey's
source (js/src/tests/test262, in Debian's source packages mozjs*), in which the harness stands in the
files shell.js.
"""

import collections
import os
import re

FOLDERS = ("language", "built-ins")

# What a program cannot be, or what it does not get, on purpose.
FLAGS = {
    "module": "modules: a program is the body of a function",
    "raw": "raw: the text may have nothing around it",
    "noStrict": "sloppy mode: programs are strict",
    "CanBlockIsFalse": "agents: a program has one thread",
    "CanBlockIsTrue": "agents: a program has one thread",
}
# What neither the engine has nor a program gets.
FEATURES = {
    **dict.fromkeys(["dynamic-import", "import-defer", "import-bytes", "import-text", "json-modules",
                     "import-attributes", "import-assertions", "source-phase-imports"],
                    "import: programs have no modules"),
    "Atomics.waitAsync": "agents: a program has one thread",
    "IsHTMLDDA": "$262.IsHTMLDDA: a program has no host like that",
    "cross-realm": "$262.createRealm: a program has no host like that",
    **dict.fromkeys(["Temporal", "ShadowRealm", "decorators", "tail-call-optimization",
                     "legacy-regexp"], "features that the engine does not have"),
}
# What is asked of the host, beside detachArrayBuffer.
HOST = re.compile(r"\$262\s*\.\s*(?!detachArrayBuffer)(\w+)")
INCLUDES = {
    "detachArrayBuffer.js": "",
    "fnGlobalObject.js": "",
    "atomicsHelper.js": "agents: a program has one thread",
    "async-gc.js": "$262.gc: a program does not collect garbage",
}

# What stands before every test; a test that is async is done when it has called $DONE.
HOST_OBJECT = "var $262 = { detachArrayBuffer(buffer) { buffer.transfer(); }, global: globalThis };\n"
DONE = """const $done = new Promise((resolve, reject) => {
    globalThis.$DONE = (error) => error ? reject(error) : resolve();
});
"""

Negative = collections.namedtuple("Negative", "phase type")
Test = collections.namedtuple("Test", "name program negative")


def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        return file.read()


def record_of(text):
    """The flags, includes, features and expected error that stand in a file's front matter."""
    match = re.search(r"/\*---(.*?)---\*/", text, re.S)
    yaml = match.group(1) if match else ""

    def items(key):
        inline = re.search(rf"^{key}:\s*\[(.*?)\]", yaml, re.M | re.S)
        if inline:
            return [word.strip() for word in inline.group(1).split(",") if word.strip()]
        block = re.search(rf"^{key}:\s*\n((?:[ \t]*-.*\n?)+)", yaml, re.M)
        return re.findall(r"-\s*(\S+)", block.group(1)) if block else []

    negative = re.search(r"^negative:\s*\n((?:[ \t]+.*\n?)+)", yaml, re.M)
    if negative:
        of = dict(re.findall(r"(\w+):\s*(\w+)", negative.group(1)))
        negative = Negative(of["phase"], of["type"])
    return set(items("flags")), items("includes"), set(items("features")), negative


class Suite:
    def __init__(self, folder):
        tests = os.path.join(folder, "test")
        self.tests = tests if os.path.isdir(tests) else folder
        self.harness = {}
        if os.path.isfile(os.path.join(folder, "harness", "assert.js")):
            for name in os.listdir(os.path.join(folder, "harness")):
                if name.endswith(".js"):
                    self.harness[name] = read(os.path.join(folder, "harness", name))
        else:
            self._read_shells(folder)
        missing = {"assert.js", "sta.js"} - set(self.harness)
        if missing:
            raise SystemExit(f"{folder} is no test262 suite: there is no harness in it")

    def _read_shells(self, folder):
        for place, _, files in os.walk(folder):
            if "shell.js" not in files:
                continue
            parts = re.split(r"^// file: (\S+)\n", read(os.path.join(place, "shell.js")), flags=re.M)
            for name, text in zip(parts[1::2], parts[2::2]):
                self.harness.setdefault(name, text)

    def _left_out(self, text):
        """Why a test is none that a program can be, or None."""
        flags, includes, features, negative = record_of(text)
        for flag in sorted(flags & set(FLAGS)):
            return FLAGS[flag]
        if negative and negative.phase == "resolution":
            return FLAGS["module"]
        for feature in sorted(features & set(FEATURES)):
            return FEATURES[feature]
        for include in includes:
            if INCLUDES.get(include):
                return INCLUDES[include]
        host = HOST.search(text)
        if host and host.group(1) != "global":
            return f"$262.{host.group(1)}: a program has no host like that"
        return None

    def _program(self, text):
        flags, includes, _, negative = record_of(text)
        parts = [self.harness["assert.js"], self.harness["sta.js"], HOST_OBJECT]
        if "async" in flags:
            parts.append(DONE)
        parts += [self.harness[name] for name in includes if name not in ("assert.js", "sta.js")]
        parts.append(re.sub(r"^reportCompare\(0, 0\);\s*\Z", "", text, flags=re.M))
        if "async" in flags:
            parts.append("await $done;")
        return "\n".join(parts), negative

    def choose(self, only):
        """The tests whose names begin with `only`, and a count for each reason to leave others out."""
        chosen, left_out = [], collections.Counter()
        for folder in FOLDERS:
            for place, folders, files in os.walk(os.path.join(self.tests, folder)):
                folders.sort()
                for file in sorted(files):
                    path = os.path.join(place, file)
                    name = os.path.relpath(path, self.tests)
                    if (not file.endswith(".js") or "_FIXTURE" in file
                            or file in ("shell.js", "browser.js") or not name.startswith(only)):
                        continue
                    text = read(path)
                    if "/*---" not in text:
                        continue
                    why = self._left_out(text)
                    if why:
                        left_out[why] += 1
                    else:
                        chosen.append(Test(name, *self._program(text)))
        return chosen, left_out
