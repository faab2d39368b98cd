#!/usr/bin/env python3
"""A command that runs confined: a child as abi/wire.md describes it, with one thread.

Its programs are lines of one command each, and it logs how each came out.
"""
import errno
import json
import os
import signal
import socket
import struct
import sys

LAUNCH, REPORT, CALLS, GATEWAY = 0, 1, 3, 5


def read_exactly(fd, size):
    data = b""
    while len(data) < size:
        part = os.read(fd, size - len(data))
        if not part:
            os._exit(0)
        data += part
    return data


def receive(fd):
    size, kind = struct.unpack("<Ic", read_exactly(fd, 5))
    return kind.decode(), json.loads(read_exactly(fd, size))


def send(fd, letter, **members):
    text = json.dumps(members).encode()
    data = struct.pack("<Ic", len(text), letter.encode()) + text
    while data:
        data = data[os.write(fd, data):]


def connect():
    """A connection to the proxy, as the parent makes it."""
    gateway = socket.socket(fileno=os.dup(GATEWAY))
    with gateway:
        gateway.send(b"?")
        answer, fds, _, _ = socket.recv_fds(gateway, 256, 1)
    if not fds:
        raise OSError(errno.ECONNREFUSED, answer.decode())
    return socket.socket(fileno=fds[0])


def proxy(text):
    with connect() as connection:
        connection.sendall(text.encode())
        connection.shutdown(socket.SHUT_WR)
        answer = b""
        while part := connection.recv(65536):
            answer += part
    return "%d %s" % (len(answer), answer[:40].decode())


def hoard(count):
    held = []
    for _ in range(int(count)):
        held.append(connect())
    return "%d held" % len(held)


def reach(address):
    with socket.socket(socket.AF_INET) as attempt:
        host, port = address.split(":")
        attempt.connect((host, int(port)))


def reach_unix(path):
    with socket.socket(socket.AF_UNIX) as attempt:
        attempt.connect(path)


def reconnect(path):
    """Makes something else of the connection to the proxy."""
    with connect() as connection:
        connection.connect(path)


def datagram(path):
    with socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)[0] as pair:
        pair.sendto(b"x", path)


def read_file(path):
    with open(path, "rb") as file:
        return "read" if file.read(1) else "empty"


def write_file(path):
    with open(path, "wb"):
        pass


def fork(_):
    if os.fork() == 0:
        os._exit(0)


def forks(most):
    """As many processes as it can have, which outlive it."""
    for count in range(int(most)):
        try:
            if os.fork() == 0:
                signal.pause()
        except OSError as error:
            return "%d %s" % (count, errno.errorcode[error.errno])
    return most


def allocate(size):
    return len(bytearray(int(size)))


def repeat(text):
    character, _, count = text.partition(" ")
    return proxy(character * int(count))


DEEDS = {
    "proxy": proxy, "repeat": repeat, "hoard": hoard, "reach": reach, "reach-unix": reach_unix,
    "reconnect": reconnect, "datagram": datagram, "read": read_file, "write": write_file,
    "list": lambda path: " ".join(sorted(os.listdir(path))), "fork": fork, "forks": forks, "allocate": allocate,
    "environment": lambda _: str(len(os.environ)), "user": lambda _: str(os.getuid()),
    "descriptors": lambda _: " ".join(str(fd) for fd in range(64) if is_open(fd)),
}


def is_open(fd):
    try:
        os.fstat(fd)
        return True
    except OSError:
        return False


def serve(program):
    for line in program["program"].splitlines():
        word, _, rest = line.partition(" ")
        if word == "return":
            send(REPORT, "v", value=json.loads(rest))
            return
        try:
            outcome = DEEDS[word](rest)
        except MemoryError:
            outcome = "MemoryError"
        except OSError as error:
            outcome = "%s %s" % (errno.errorcode.get(error.errno, error.errno), error.strerror)
        send(CALLS, "l", text="%s: %s" % (word, outcome))


kind, launch = receive(LAUNCH)
if kind != "L" or "command" in launch or "lock" in launch:
    sys.exit("a launch frame that is not for a command")
send(REPORT, "r", protocol=1, name="confined.py", languages=["lines"])
serve(receive(LAUNCH)[1])
sys.stdout = None
os._exit(0)
