"""The peers of `locwatch publish`: an HTTP server that fails, and a broker behind a network that is cut."""
import asyncio
import collections
import contextlib
import email.utils
import json
import signal
import time

from lib.brokers import Mosquitto, Relay
from lib.processes import needs
from receiver import number_of

TOPIC = "soak/boat"


class Arrivals:
    """The numbers of the positions that a peer has taken, in the order of their first arrival."""

    def __init__(self):
        self.counts = collections.Counter()
        self.order = []
        self.messages = 0

    def add(self, text):
        self.messages += 1
        with contextlib.suppress(ValueError):
            record = json.loads(text)
            if isinstance(record, dict) and "lat" in record:
                number = number_of(record["lat"])
                if not self.counts[number]:
                    self.order.append(number)
                self.counts[number] += 1

    @property
    def repeated(self):
        return sum(self.counts.values()) - len(self.counts)


class HTTPServer:
    """A server that takes positions, and answers as its mode says."""
    MODES = ("500", "503", "503 date", "429", "closing", "hanging", "broken", "foreign", "slow", "absent")

    def __init__(self, clock):
        self.clock = clock
        self.mode, self.until = "fine", float("inf")
        self.taken = Arrivals()
        self.refused = 0
        self.server, self.port = None, 0
        self.writers = set()

    async def open(self):
        self.server = await asyncio.start_server(self.accept, "127.0.0.1", self.port)
        self.port = self.server.sockets[0].getsockname()[1]

    async def change(self, mode, seconds=float("inf")):
        self.mode, self.until = mode, time.monotonic() + seconds
        for writer in list(self.writers):
            writer.transport.abort()
        if mode == "absent" and self.server:
            self.server.close()
            self.server = None
        elif mode != "absent" and not self.server:
            await self.open()

    async def run(self):
        while True:
            await asyncio.sleep(0.2)
            if time.monotonic() > self.until:
                await self.change("fine")

    async def accept(self, reader, writer):
        self.writers.add(writer)
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                sizes = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
                body = await reader.readexactly(int(sizes[0].split(b":")[1])) if sizes else b""
                if not await self.answer(writer, body):
                    return
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, OSError):
            pass
        finally:
            self.writers.discard(writer)
            writer.close()

    async def answer(self, writer, body):
        """Answers one request; returns whether the connection stays open."""
        mode = self.mode
        if mode in ("fine", "slow"):
            if mode == "slow":
                await asyncio.sleep(0.5)
            self.taken.add(body)
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            return True
        self.refused += 1
        if mode in ("500", "503", "503 date", "429"):
            # A server's clock is right, whatever this machine's clock shows.
            after = {"503": "Retry-After: 1\r\n",
                     "503 date": f"Retry-After: {email.utils.formatdate(time.time() + 2, usegmt=True)}\r\n"}.get(mode, "")
            writer.write(f"HTTP/1.1 {mode[:3]} no\r\n{after}Content-Length: 0\r\n\r\n".encode())
            return True
        if mode == "hanging":
            while self.mode == mode:
                await asyncio.sleep(0.1)
        elif mode == "broken":
            writer.write(b"HTTP/1.1 500 no\r\nContent-Length: 100\r\n\r\nhalf")
        elif mode == "foreign":
            writer.write(b"SSH-2.0-OpenSSH_9.2p1\r\n")
        return False


class Broker:
    """mosquitto, a relay in front of it, and a subscriber behind it whose session the broker keeps."""

    def __init__(self):
        self.daemon = Mosquitto("persistence true")
        with open(self.daemon.configuration, "a") as file:
            file.write(f"persistence_location {self.daemon.folder}/\n")
        self.relay = None
        self.arrivals = Arrivals()
        self.subscriber = None
        self.changes = []
        self.is_stopped = False

    async def open(self):
        self.daemon.start()
        self.relay = Relay(self.daemon.port)
        self.subscriber = await asyncio.create_subprocess_exec(
            needs("mosquitto_sub"), "-p", str(self.daemon.port), "-i", "soak-reader", "-c", "-q", "1", "-t", TOPIC,
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL)

    async def run(self):
        async for line in self.subscriber.stdout:
            self.arrivals.add(line)

    def disturb(self, random):
        """Begins a fault and returns its name."""
        kind = random.choice(["cut", "stopped", "restarted"])
        end = time.monotonic() + random.uniform(0.5, 8)
        if kind == "cut":
            self.relay.cut()
            self.changes.append((end, self.relay.mend))
        elif kind == "stopped" and not self.is_stopped:
            self.daemon.process.send_signal(signal.SIGSTOP)
            self.is_stopped = True
            self.changes.append((end, self.proceed))
        elif kind == "restarted" and not self.is_stopped:
            self.daemon.process.terminate()
            self.daemon.process.wait()
            self.daemon.start()
        return kind

    def proceed(self):
        self.is_stopped = False
        self.daemon.process.send_signal(signal.SIGCONT)

    def step(self, everything=False):
        """Ends the faults that are over."""
        now = time.monotonic()
        over = [change for change in self.changes if everything or change[0] < now]
        self.changes = [change for change in self.changes if change not in over]
        for _, end in over:
            end()

    async def close(self):
        self.step(everything=True)
        if self.relay:
            self.relay.stop()
        if self.subscriber and self.subscriber.returncode is None:
            self.subscriber.kill()
            await self.subscriber.wait()
        self.daemon.__exit__()
