#!/usr/bin/env python3
"""A child as abi/wire.md describes it, and nothing else of pawl's was read for it.

Its programs are lines of one command each, the same as those of tests/plugins/stub-engine.c.
"""
import json
import os
import queue
import signal
import struct
import sys
import threading
import time

LAUNCH, REPORT, CALLS, ANSWERS = 0, 1, 3, 4


class Over(Exception):
    """The run is over."""


def read_exactly(fd, size):
    data = b""
    while len(data) < size:
        part = os.read(fd, size - len(data))
        if not part:
            return None
        data += part
    return data


def receive(fd):
    header = read_exactly(fd, 5)
    if header is None:
        return None, None
    size, kind = struct.unpack("<Ic", header)
    body = read_exactly(fd, size)
    return kind.decode(), json.loads(body)


def send_text(fd, letter, text):
    data = struct.pack("<Ic", len(text), letter.encode()) + text
    while data:
        data = data[os.write(fd, data):]


def send(fd, letter, **members):
    send_text(fd, letter, json.dumps(members).encode())


def to_bytes(text):
    return text.encode("utf-8", "surrogateescape")


class Run:
    def __init__(self, launch, program):
        self.limit = launch["frame_limit"]
        self.program = program
        self.functions = {f["index"] for n in program["namespaces"] for f in n["functions"]}
        self.last_id = 0
        self.in_flight = 0
        self.arrived = queue.Queue()  # settlements, and where they are asked for, all answers
        self.answers = queue.Queue()
        self.ask = program["ask"]
        threading.Thread(target=self.take_in, daemon=True).start()

    def take_in(self):
        while True:
            kind, frame = receive(ANSWERS)
            if kind == "S":
                self.arrived.put(frame)
            elif kind == "A":
                (self.arrived if self.ask else self.answers).put(frame)
            else:
                if kind is None:
                    os._exit(1)
                os.kill(os.getpid(), signal.SIGTERM)
                return

    def log(self, text):
        send(CALLS, "l", text=text)

    def call(self, function, arguments):
        try:
            fits = isinstance(json.loads(arguments), list) and function in self.functions
        except ValueError:
            fits = False
        if not fits:
            self.log("call: -2")
            return
        self.last_id += 1
        self.in_flight += 1
        send_text(CALLS, "c", b'{"id":%d,"function":%d,"arguments":%s}'
                  % (self.last_id, function, to_bytes(arguments)))

    def take(self, timeout):
        """The next settlement, or None: nothing came within so many milliseconds (-1: no limit)."""
        if self.ask:
            send(CALLS, "w", **({"timeout": timeout} if timeout >= 0 else {}))
            frame = self.arrived.get()
            return frame if "id" in frame else None
        try:
            return self.arrived.get(timeout=timeout / 1000 if timeout >= 0 else None)
        except queue.Empty:
            return None

    def next(self, timeout):
        if self.in_flight == 0:
            self.log("next: -3")
            return
        frame = self.take(timeout)
        if frame is None:
            self.log("next: -7")
            return
        self.in_flight -= 1
        status = ["ok", "error", "denied", "failed"].index(frame["status"])
        text = frame["message"] if status else self.echoed(frame)
        self.log("%d %d %s %s" % (frame["id"], status, frame.get("code", "-"), text))

    @staticmethod
    def echoed(frame):
        return json.dumps(frame["value"])

    def drain(self):
        order = []
        while self.in_flight:
            order.append(self.take(-1)["id"])
            self.in_flight -= 1
        self.log("%d settled, %s" % (len(order), "in order" if order == sorted(order) else "mixed"))

    def question(self, kind, **members):
        send(CALLS, kind, **members)
        return (self.arrived if self.ask else self.answers).get()

    def discover(self, query):
        if not self.program["discover"]:
            self.log("discover: -4 ")
            return
        answer = self.question("d", query=query)
        if "value" in answer:
            self.log("discover: 0 " + json.dumps(answer["value"], separators=(",", ":")))
        else:
            self.log("discover: -5 " + answer["message"])

    def clock(self):
        now = self.question("t")["value"] if self.ask else time.time_ns()
        self.log("clock: 0 %d" % now)

    def random(self, size):
        data = b""
        while len(data) < size:
            part = min(4096, size - len(data))
            data += (bytes.fromhex(self.question("n", size=part)["value"]) if self.ask
                     else os.urandom(part))
        self.log("random: 0 %02x %02x" % (data[0], data[-1]))

    def fail(self, rest):
        kind, line, column, call, message = rest.split(" ", 4)
        members = {"line": int(line), "column": int(column), "call": int(call)}
        send(REPORT, "f", kind=kind, message=message, subject="it",
             suggestions=["try this", "or that"],
             **{name: number for name, number in members.items() if number})
        raise SystemExit

    def finish(self, rest):
        text = to_bytes(rest)
        if len(text) + 10 > self.limit:
            send(REPORT, "f", kind="output_limit", message="too large")
        else:
            send_text(REPORT, "v", b'{"value":%s}' % text if text else b"{}")
        raise SystemExit

    def command(self, word, rest):
        if word == "log":
            self.log(rest)
        elif word == "call":
            function, _, arguments = rest.partition(" ")
            self.call(int(function), arguments)
        elif word == "next":
            self.next(int(rest or -1))
        elif word == "poll":
            self.next(10000)
        elif word == "drain":
            self.drain()
        elif word == "flood":
            for _ in range(int(rest)):
                self.call(0, "[1]")
        elif word == "return":
            self.finish(rest)
        elif word == "large-value":
            self.finish('"' + "x" * (int(rest) - 2) + '"')
        elif word == "fail":
            self.fail(rest)
        elif word == "fact":
            name, _, value = rest.partition(" ")
            send(REPORT, "k", name=name, value=json.loads(value))
        elif word == "discover":
            self.discover(rest)
        elif word == "clock":
            self.clock()
        elif word == "random":
            self.random(int(rest))
        elif word in ("spin", "hang"):
            while True:
                time.sleep(3600)
        elif word == "stderr":
            print(rest, file=sys.stderr, flush=True)
        elif word == "exit":
            os._exit(int(rest))
        elif word == "crash":
            os.kill(os.getpid(), signal.SIGSEGV)
        elif word == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        elif word == "error":
            send(REPORT, "x", status="unavailable" if rest == "-5" else "system",
                 message="the stub gave up")
            raise SystemExit
        else:
            self.log("unknown command " + word)

    def serve(self):
        for line in self.program["program"].split("\n"):
            if line:
                self.command(*line.split(" ", 1)) if " " in line else self.command(line, "")
        send(REPORT, "x", status="system",
             message="the child returned without saying how the program ended")


def main():
    kind, launch = receive(LAUNCH)
    if kind != "L" or launch["protocol"] < 1:
        send(REPORT, "x", status="protocol", message="no common version")
        return
    send(REPORT, "r", protocol=1, name="child.py", languages=["stub", "lines"])
    kind, program = receive(LAUNCH)
    if kind is None:
        return

    def over(number, frame):
        raise Over

    signal.signal(signal.SIGTERM, over)
    try:
        Run(launch, program).serve()
    except Over:
        send(REPORT, "s")


try:
    main()
except SystemExit:
    pass
sys.stdout = None
os._exit(0)
