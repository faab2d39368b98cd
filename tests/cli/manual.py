#!/usr/bin/env python3
"""Whether everything that people use is in the manual: tools, subcommands, options, plugins, headers,
functions and environment variables; and whether completion knows what the tools do. Prints TAP.

Started through ./run of a build tree.
"""

import glob
import os
import re
import shutil
import subprocess
import sys

BUILD = os.environ["PAWL_BUILD_DIR"]
SOURCE = os.environ["PAWL_SOURCE_DIR"]
COMPLETION = os.path.join(SOURCE, "tools/pawl/completion")
FOLDERS = ("abi", "core", "providers", "stages", "tools")


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def find_pages():
    """Every page by its name, "pawl.1"."""
    pages = {}
    for folder in FOLDERS:
        for path in glob.glob(f"{SOURCE}/{folder}/**/*.[1-8]", recursive=True):
            pages[os.path.basename(path)] = read(path)
    return pages


PAGES = find_pages()


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def variable(name):
    """Of the Makefile of the build."""
    words = re.search(rf"^{name} = ((?:.*\\\n)*.*)$", read(os.path.join(BUILD, "Makefile")), re.M)
    return [word for word in words[1].replace("\\\n", " ").split() if word] if words else []


def options_of(text):
    """The long options in what --help prints."""
    return set(re.findall(r"^  (--[a-z-]+)", text, re.M))


def complete(*words):
    """What bash offers for the last word."""
    script = 'source "$1"; shift; tool=$1; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); ' \
             '_${tool//-/_}; printf "%s\\n" "${COMPREPLY[@]}"'
    return set(output("bash", "-c", script, "bash", f"{COMPLETION}/{words[0]}", *words).split())


# --- What is checked: each yields what is missing ------------------------------------------------


def tools():
    for name in re.findall(r"^bin_PROGRAMS = (.*)$", read(os.path.join(BUILD, "Makefile")), re.M)[0]\
            .replace("$(EXEEXT)", "").split():
        if f"{name}.1" not in PAGES:
            yield f"{name}(1)"


def subcommands():
    commands = re.findall(r"^  ([a-z-]+) ", output("pawl", "--help"), re.M)
    if len(commands) < 6:
        yield "the list of commands itself"
    for command in commands:
        if not re.search(rf"^\.Nm\n\.Cm {command}$", PAGES["pawl.1"], re.M):
            yield f"{command} in the synopsis of pawl(1)"
        if not re.search(rf"^\.It Cm {command}$", PAGES["pawl.1"], re.M):
            yield f"{command} in pawl(1)"
        options = options_of(output("pawl", command, "--help"))
        for option in options - {"--help"}:
            if not re.search(rf"^\.It Fl Fl {option[2:]}( |$)", PAGES["pawl.1"], re.M):
                yield f"{option} of {command} in pawl(1)"
        offered = complete("pawl", command, "--")
        if offered != options:
            yield f"completion of {command}: {sorted(offered ^ options)}"
    offered = complete("pawl", "")
    if offered != set(commands) | {"--help", "--version"}:
        yield f"completion of pawl: {sorted(offered ^ set(commands))}"


def harness_options():
    options = options_of(output("pawl-harness", "--help")) | {"--help", "--version"}
    for option in options:
        if not re.search(rf"\bFl {option[1:]}\b|\| {option[1:]}\b", PAGES["pawl-harness.1"]):
            yield f"{option} in pawl-harness(1)"
    offered = complete("pawl-harness", "--")
    if offered != options:
        yield f"completion of pawl-harness: {sorted(offered ^ options)}"


def plugins():
    files = os.listdir(os.path.join(BUILD, "plugins"))
    names = [re.fullmatch(r"pawl-(.+)-(provider|stage)\.so", file) for file in files]
    names = [name for name in names if name]
    if len(names) < 4:
        yield "the plugins themselves"
    for name in names:
        page = f"pawl-{name[1]}-provider.7" if name[2] == "provider" else f"pawl-{name[1]}.7"
        if page not in PAGES:
            yield page


def headers():
    for path in variable("pkginclude_HEADERS"):
        name = os.path.basename(path)
        if not any(re.search(rf"^\.In pawl/{name}$|pawl/{name}\b", page, re.M)
                   for page in PAGES.values()):
            yield f"pawl/{name}"


def functions():
    """By name, or as one of a family such as pawl_ring_*."""
    text = "\n".join(page for name, page in PAGES.items() if name.endswith(".3"))
    families = re.findall(r"\b(pawl_[a-z]+_)\*", text)
    for name in re.findall(r"^PAWL_EXPORT [^;]*?\b(pawl_\w+)\(", read(f"{SOURCE}/core/pawl.h"), re.M):
        if not re.search(rf"\b{name}\b", text) and not name.startswith(tuple(families)):
            yield name


def environment():
    text = "\n".join(PAGES.values())
    for folder in FOLDERS:
        for path in glob.glob(f"{SOURCE}/{folder}/**/*.c", recursive=True):
            for name in re.findall(r'\bgetenv\("(\w+)"\)', read(path)):
                if not re.search(rf"\bEv (\w+ , )*{name}\b", text):
                    yield f"{name} ({os.path.relpath(path, SOURCE)})"


def references():
    for page, text in PAGES.items():
        for name, section in re.findall(r"\bXr (pawl[\w.-]*) (\d)", text):
            if f"{name}.{section}" not in PAGES:
                yield f"{name}({section}), which {page} refers to"


def installed():
    makefile = variable("dist_man_MANS") + re.findall(r"(\S+\.[1-8])\b", " ".join(
        read(path) for path in glob.glob(f"{SOURCE}/**/local.mk", recursive=True)))
    for name in PAGES:
        if not any(word.endswith("/" + name) for word in makefile):
            yield f"{name} is not installed"


def form():
    """Each page says what it is, and groff has nothing to say against it."""
    for name, text in PAGES.items():
        for section in "NAME", "DESCRIPTION":
            if not re.search(rf"^\.Sh {section}$", text, re.M):
                yield f"{name} has no section {section}"
        if shutil.which("groff"):
            done = subprocess.run(["groff", "-mdoc", "-Tutf8", "-ww", "-z"], input=text,
                                  capture_output=True, text=True, check=False)
            if done.stderr:
                yield f"{name}: {done.stderr.splitlines()[0]}"


CHECKS = {
    "every tool has a page": tools,
    "every subcommand and option is in pawl(1) and in its completion": subcommands,
    "every option of pawl-harness is in its page and completion": harness_options,
    "every plugin has a page": plugins,
    "every public header is in a page": headers,
    "every public function is in a page": functions,
    "every environment variable is in a page": environment,
    "every page that is referred to exists": references,
    "every page is installed": installed,
    "every page is in form": form,
}


def main():
    failed = False
    print(f"1..{len(CHECKS)}")
    for number, (name, check) in enumerate(CHECKS.items(), 1):
        missing = sorted(check())
        print(f"{'not ok' if missing else 'ok'} {number} - {name}")
        for word in missing:
            print(f"# missing: {word}")
        failed = failed or bool(missing)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
