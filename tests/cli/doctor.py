#!/usr/bin/env python3
"""Tests of pawl doctor, through the built pawl. Prints TAP."""

import json
import os
import subprocess
import sys
import tempfile

PAWL = os.environ.get("PAWL", "pawl")

MECHANISMS = {
    "start", "seccomp", "no_new_privs", "user_namespace", "mount_namespace", "pid_namespace",
    "net_namespace", "ipc_namespace", "uts_namespace", "cgroup_namespace", "capabilities",
    "landlock", "keyring", "rlimit_data", "rlimit_nproc", "cgroup2", "kvm",
}


def doctor(*arguments, prefix=()):
    return subprocess.run(
        [*prefix, PAWL, "doctor", *arguments], stdin=subprocess.DEVNULL, capture_output=True,
        text=True, timeout=120)


def resolve(*prefix):
    """What pawl says when level os cannot be had."""
    done = subprocess.run([*prefix, PAWL, "resolve", "--level", "os"], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=120)
    assert done.returncode == 3, done
    return done.stderr


def json_is_complete():
    done = doctor("--json")
    assert done.returncode == 0, done
    report = json.loads(done.stdout)
    assert {m["name"] for m in report["mechanisms"]} == MECHANISMS, report
    for mechanism in report["mechanisms"]:
        assert isinstance(mechanism["works"], bool) and mechanism["how"], mechanism
        assert mechanism["use"], mechanism
    for provider in report["providers"]:
        assert set(provider["enforcement"]) == {"files", "network", "syscalls", "memory"}, provider
    assert "configuration_error" not in report, report


def levels_follow_from_mechanisms():
    report = json.loads(doctor("--json").stdout)
    works = {m["name"]: m["works"] for m in report["mechanisms"]}
    needed = [n for n in MECHANISMS if n.endswith("_namespace")] + ["seccomp", "start"]
    confined = [p for p in report["providers"] if p["id"].startswith("confine-")]
    refused = [p for p in report["refused"] if p["id"].startswith("confine-")]
    if not confined and not refused:
        return "pawl was built without the confine provider"
    if all(works[name] for name in needed):
        assert confined and not refused, report
        assert report["strongest_level"] == "os", report
        for provider in confined:
            for axis in ("files", "network", "syscalls"):
                assert provider["enforcement"][axis]["grade"] == "full", provider
    else:
        assert not confined, report
        for provider in refused:
            assert ": " in provider["reason"], provider


def text_names_everything():
    done = doctor()
    assert done.returncode == 0, done
    for word in ("seccomp filter", "user namespace", "Landlock", "KVM", "Providers"):
        assert word in done.stdout, done


def what_is_missing_is_advised():
    """A user namespace in which there may be no further one, as an administrator can forbid it."""
    enter = ["unshare", "--user", "--map-root-user", "sh", "-c",
             'echo 0 >/proc/sys/user/max_user_namespaces && exec "$@"', "sh"]
    if subprocess.run([*enter, "true"], capture_output=True).returncode != 0:
        return "no user namespace can be made for it"
    with tempfile.TemporaryDirectory() as home:
        environment = dict(os.environ, XDG_CONFIG_HOME=home)
        done = subprocess.run([*enter, PAWL, "doctor", "--json"], stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=120, env=environment)
    assert done.returncode == 0, done
    report = json.loads(done.stdout)
    user = next(m for m in report["mechanisms"] if m["name"] == "user_namespace")
    assert not user["works"], user
    assert user["change"], user
    for provider in report["refused"]:
        if provider["id"].startswith("confine-"):
            assert "cannot be started" in provider["reason"] or "lock-down" in provider["reason"]
            assert f"{provider['id']}: it cannot be used: {provider['reason']}" in resolve(*enter)


def broken_configuration_is_a_finding():
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        file.write('{"providers": [{"id": "x", "plugin": "confine", "config": {"engine": "none"}}]}')
        file.flush()
        done = doctor("--json", "--config", file.name)
    assert done.returncode == 0, done
    report = json.loads(done.stdout)
    assert report["mechanisms"] and "none" in report["configuration_error"], report


def arguments_are_refused():
    assert doctor("surplus").returncode == 2
    assert doctor("--nonsense").returncode == 2
    assert doctor("--help").returncode == 0


TESTS = [
    json_is_complete, levels_follow_from_mechanisms, text_names_everything,
    what_is_missing_is_advised, broken_configuration_is_a_finding, arguments_are_refused,
]


def main():
    failed = 0
    print(f"1..{len(TESTS)}")
    for number, test in enumerate(TESTS, 1):
        name = test.__name__.replace("_", " ")
        try:
            skipped = test()
        except Exception as error:  # pylint: disable=broad-except
            failed += 1
            print(f"not ok {number} - {name}")
            print("# " + repr(error).replace("\n", "\n# "))
        else:
            print(f"ok {number} - {name}" + (f" # SKIP {skipped}" if skipped else ""))
    return failed > 0


sys.exit(main())
