"""A receiver on a pseudo terminal, a real gpsd that reads it, and clients that watch it."""
import contextlib
import dataclasses
import datetime
import functools
import itertools
import operator
import os
import pathlib
import pty
import random
import resource
import selectors
import socket
import subprocess
import termios
import threading
import time
import tty

import programs
from lib.processes import await_port, free_port, megabytes, needs, require, running, seconds, started

# The time of the first epoch.
FIRST = datetime.datetime(2026, 11, 20, 12)


class Receiver:
    """Sends `rate` NMEA epochs per second, or nothing, and records the time at which each epoch was complete."""

    def __init__(self, rate):
        self.rate, self.random, self.times = rate, random.Random(programs.SEED), {}
        self.master, self.slave = os.openpty()
        self.path = os.ttyname(self.slave)
        tty.setraw(self.slave)
        # A gpsd without rights opens it too.
        os.fchmod(self.slave, 0o666)
        # The process of the gpsd that reads this receiver.
        self.daemon = None
        self.is_over = threading.Event()
        self.thread = threading.Thread(target=self.play, daemon=True)
        self.thread.start()

    def play(self):
        start = time.monotonic()
        for number in itertools.count() if self.rate else ():
            if self.is_over.wait(max(0, start + number / self.rate - time.monotonic())):
                return
            moment = FIRST + datetime.timedelta(seconds=number / self.rate)
            os.write(self.master, self.epoch(f"{moment:%H%M%S.%f}"[:-3]))
            self.times[f"{moment:%H:%M:%S.%f}"[:-3] + "Z"] = time.monotonic()

    def epoch(self, stamp):
        east, north = 41.1 + self.random.random() / 1000, 4.2 + self.random.random() / 1000
        place = f"450{north:.5f},N,0074{east - 40:.5f},E"
        sentences = [f"GNRMC,{stamp},A,{place},1.9,77.5,201126,,,A", f"GNGGA,{stamp},{place},1,12,0.8,239.4,M,48.2,M,,",
                     "GNGSA,A,3,01,02,03,04,05,06,07,08,09,10,11,12,1.5,0.8,1.2"]
        for page in range(3):
            numbers = range(page * 4 + 1, page * 4 + 5)
            each = ",".join(f"{prn:02},{20 + prn * 5:02},{prn * 27:03},{self.random.randint(25, 45)}" for prn in numbers)
            sentences.append(f"GPGSV,3,{page + 1},12,{each}")
        return b"".join(nmea(sentence) for sentence in sentences)

    def stop(self):
        self.is_over.set()
        self.thread.join()
        os.close(self.master)
        os.close(self.slave)


def nmea(text):
    """Returns a sentence with its frame and checksum."""
    return f"${text}*{functools.reduce(operator.xor, text.encode()):02X}\r\n".encode()


@contextlib.contextmanager
def daemon(rate=10):
    """Runs a gpsd that reads a receiver of its own, and yields its port and the receiver."""
    receiver, port = Receiver(rate), free_port()
    # It sends nothing to the receiver, and has a segment of shared memory of its own.
    environment = os.environ | {"GPSD_SHM_KEY": str(0x4C000000 + port)}
    try:
        with running(needs("gpsd"), "-N", "-n", "-b", "-S", port, receiver.path, env=environment, cwd="/") as process:
            receiver.daemon = process.pid
            await_port(port)
            # Wait until the daemon has learnt where the receiver's cycle ends.
            time.sleep({0: 0.5, 1: 4, 10: 2}[rate])
            yield port, receiver
    finally:
        receiver.stop()


def watch(port):
    return [programs.OURS, "watch", "-j", "-q", f"localhost:{port}"]


def gpspipe(port):
    return [needs("gpspipe"), "-w", f"localhost:{port}"]


class Client:
    """A program that watches the daemon, with a thread of negligible cost that reads its output."""

    def __init__(self, words, on_line=None, is_terminal=False):
        if is_terminal:
            self.reader, writer = pty.openpty()
            termios.tcsetwinsize(writer, (24, 80))
        else:
            self.reader, writer = os.pipe()
        environment = os.environ | {"TERM": "xterm", "LC_ALL": "C.UTF-8"}
        source = writer if is_terminal else subprocess.DEVNULL
        self.process = started(words, stdin=source, stdout=writer, env=environment)
        os.close(writer)
        self.on_line = on_line
        # The output of a terminal, and the size of all output.
        self.is_terminal, self.output, self.bytes, self.pieces = is_terminal, b"", 0, 0
        self.thread = threading.Thread(target=self.read, daemon=True)
        self.thread.start()

    def read(self):
        rest = b""
        with contextlib.suppress(OSError):  # A terminal without users returns an error instead of an end of file.
            while chunk := os.read(self.reader, 65536):
                moment = time.monotonic()
                self.bytes += len(chunk)
                self.pieces += 1
                if self.is_terminal:
                    self.output += chunk
                if self.on_line:
                    *lines, rest = (rest + chunk).split(b"\n")
                    for line in lines:
                        self.on_line(line, moment)

    def end(self):
        """Ends the program and returns its cost."""
        require(self.process.poll() is None, f"bench: {' '.join(self.process.args)} ended by itself with {self.process.returncode}")
        self.process.terminate()
        cost = programs.reap(self.process)
        self.thread.join(timeout=5)
        os.close(self.reader)
        return cost


@dataclasses.dataclass
class Use:
    """What a client uses: milliseconds of a processor, bytes that it reads, bytes and pieces of output, all a second; and megabytes."""
    cpu: float
    read: float
    bytes: float
    pieces: float
    memory: float


def observed(clients, duration):
    """Returns what each client uses in a time."""
    def counts(client):
        # It has the bytes from a broker: libmosquitto reads with read(2), and libmicrohttpd does not.
        io = pathlib.Path(f"/proc/{client.process.pid}/io").read_text()
        return seconds(client.process.pid), int(io.split()[1]), client.bytes, client.pieces

    began, before = time.monotonic(), {name: counts(client) for name, client in clients.items()}
    time.sleep(duration)
    passed, uses = time.monotonic() - began, {}
    for name, client in clients.items():
        used, read, sent, pieces = (late - early for early, late in zip(before[name], counts(client)))
        uses[name] = Use(used * 1000 / passed, read / passed, sent / passed, pieces / passed, megabytes(client.process.pid))
    return uses


def end_all(clients):
    """Ends clients, and returns the memory of each in megabytes and the milliseconds of a processor that it has taken."""
    memory = {name: megabytes(client.process.pid) for name, client in clients.items()}
    return memory, {name: client.end().cpu * 1000 for name, client in clients.items()}


class Crowd:
    """Clients that greet a server and read on one thread; `bytes` has how much each has got."""

    def __init__(self, port, count, greeting):
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, count + 32), hard))
        self.bytes, self.is_over = [0] * count, False
        self.selector, self.sockets = selectors.DefaultSelector(), []
        for index in range(count):
            client = socket.create_connection(("127.0.0.1", port), timeout=30)
            client.sendall(greeting)
            self.sockets.append(client)
            self.selector.register(client, selectors.EVENT_READ, index)
        self.thread = threading.Thread(target=self.read, daemon=True)
        self.thread.start()

    def read(self):
        while not self.is_over:
            for key, _ in self.selector.select(0.2):
                chunk = key.fileobj.recv(65536)
                self.bytes[key.data] += len(chunk)
                if not chunk:
                    self.selector.unregister(key.fileobj)

    def end(self):
        self.is_over = True
        self.thread.join()
        for client in self.sockets:
            client.close()
