"""A receiver on a pseudo terminal, a real gpsd that reads it, and clients that watch it."""
import contextlib
import dataclasses
import fcntl
import os
import pty
import random
import selectors
import socket
import struct
import subprocess
import termios
import threading
import time

import programs
from lib.processes import allow_descriptors, end, free_port, megabytes, needs, wait
from lib.receivers import gpsd, nmea, serial_line


class Receiver:
    """Sends `rate` NMEA epochs per second, or nothing, and records the time at which each epoch was complete."""

    def __init__(self, is_silent=False, seed=programs.SEED, rate=10):
        self.rate = rate
        self.master, self.slave, self.path = serial_line()
        self.random = random.Random(seed)
        # The process of the gpsd that reads this receiver.
        self.daemon = None
        self.times = {}
        self.epochs = 0
        self.is_over = threading.Event()
        self.thread = None if is_silent else threading.Thread(target=self.play, daemon=True)

    def start(self):
        if self.thread:
            self.thread.start()

    def play(self):
        start = time.monotonic()
        while not self.is_over.wait(max(0, start + self.epochs / self.rate - time.monotonic())):
            clock = self.epochs * 1000 // self.rate
            seconds = clock // 1000
            stamp = f"{12 + seconds // 3600:02}{seconds // 60 % 60:02}{seconds % 60:02}.{clock % 1000:03}"
            os.write(self.master, self.epoch(stamp))
            moment = f"{stamp[:2]}:{stamp[2:4]}:{stamp[4:]}Z"
            self.times[moment] = time.monotonic()
            self.epochs += 1

    def epoch(self, stamp):
        east, north = 41.1 + self.random.random() / 1000, 4.2 + self.random.random() / 1000
        place = f"450{north:.5f},N,0074{east - 40:.5f},E"
        sentences = [f"GNRMC,{stamp},A,{place},1.9,77.5,201126,,,A", f"GNGGA,{stamp},{place},1,12,0.8,239.4,M,48.2,M,,"]
        sentences.append("GNGSA,A,3,01,02,03,04,05,06,07,08,09,10,11,12,1.5,0.8,1.2")
        for page in range(3):
            numbers = range(page * 4 + 1, page * 4 + 5)
            each = ",".join(f"{prn:02},{20 + prn * 5:02},{prn * 27:03},{self.random.randint(25, 45)}" for prn in numbers)
            sentences.append(f"GPGSV,3,{page + 1},12,{each}")
        return b"".join(nmea(sentence) for sentence in sentences)

    def stop(self):
        self.is_over.set()
        if self.thread and self.thread.is_alive():
            self.thread.join()
        os.close(self.master)
        os.close(self.slave)


@contextlib.contextmanager
def daemon(is_silent=False, rate=10):
    """Starts a private gpsd on a simulated receiver and yields its port and the receiver."""
    receiver, port = Receiver(is_silent, rate=rate), free_port()
    process = gpsd(port, receiver.path)
    receiver.daemon = process.pid
    try:
        receiver.start()
        await_banner(port)
        # Wait until the daemon has learnt where the receiver's cycle ends.
        time.sleep(0.5 if is_silent else 4 if rate < 2 else 2)
        yield port, receiver
    finally:
        end(process)
        receiver.stop()


def await_banner(port):
    def greets():
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
            return connection.recv(1)

    wait(greets, "gpsd does not answer", 20)


def watch(port):
    return [programs.ours(), "watch", "-j", "-q", f"localhost:{port}"]


def gpspipe(port):
    return [needs("gpspipe"), "-w", f"localhost:{port}"]


def cpu(pid):
    """Returns the CPU seconds of a process with its ended threads."""
    # The identifier of a process's clock, as clock_getcpuclockid(3) returns it.
    return time.clock_gettime(~pid << 3 | 2)


class Client:
    """A program that watches the daemon, with a thread of negligible cost that reads its output."""

    def __init__(self, words, on_line=None, is_terminal=False):
        if is_terminal:
            self.reader, writer = pty.openpty()
            fcntl.ioctl(writer, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        else:
            self.reader, writer = os.pipe()
        environment = os.environ | {"TERM": "xterm", "LC_ALL": "C.UTF-8"}
        source = writer if is_terminal else subprocess.DEVNULL
        self.process = subprocess.Popen(words, stdin=source, stdout=writer, stderr=subprocess.DEVNULL, env=environment)
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

    @property
    def memory(self):
        """The resident memory in megabytes."""
        return megabytes(self.process.pid)

    @property
    def cpu(self):
        """The CPU seconds of all threads so far."""
        return cpu(self.process.pid)

    def end(self):
        """Ends the program and returns its cost."""
        if self.process.poll() is not None:
            raise SystemExit(f"bench: {' '.join(self.process.args)} ended by itself with {self.process.returncode}")
        self.process.terminate()
        cost = programs.reap(self.process)
        self.thread.join(timeout=5)
        os.close(self.reader)
        return cost


@dataclasses.dataclass
class Use:
    """What a client uses in a time: milliseconds of a processor, bytes and pieces of output, all of them a second, and megabytes."""
    cpu: float
    bytes: float
    pieces: float
    memory: float


def observed(clients, seconds):
    """Returns what each client uses in a time."""
    def counts(client):
        return client.cpu, client.bytes, client.pieces

    began, before = time.monotonic(), {name: counts(client) for name, client in clients.items()}
    time.sleep(seconds)
    passed, uses = time.monotonic() - began, {}
    for name, client in clients.items():
        used, sent, pieces = (late - early for early, late in zip(before[name], counts(client)))
        uses[name] = Use(used * 1000 / passed, sent / passed, pieces / passed, client.memory)
    return uses


def end_all(clients):
    for client in clients.values():
        client.end()


class Crowd:
    """Clients that greet a server and read on one thread; `bytes` has how much each has got, and `take` gets what the first one reads."""

    def __init__(self, port, count, greeting, take=lambda chunk, moment: None):
        allow_descriptors(count + 32)
        self.bytes, self.take, self.is_over = [0] * count, take, False
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
                if key.data == 0:
                    self.take(chunk, time.monotonic())
                if not chunk:
                    self.selector.unregister(key.fileobj)

    def end(self):
        self.is_over = True
        self.thread.join()
        for client in self.sockets:
            client.close()
