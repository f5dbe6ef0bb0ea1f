"""The peers of `locwatch publish`: an HTTP server that fails, and a broker behind a network that is cut."""
import asyncio
import collections
import contextlib
import email.utils
import json
import re
import signal
import time

from lib.brokers import Mosquitto, Relay, subscriber
from lib.processes import end
from receiver import number_of

TOPIC = "soak/boat"


class Arrivals:
    """How often a peer has taken the position of each number, in the order of the first arrivals."""

    def __init__(self):
        self.counts, self.messages = collections.Counter(), 0
        # The messages that came again without a mark that they may, and those with one that came for the first time.
        self.unmarked = self.doubtful = 0

    def add(self, text):
        self.messages += 1
        with contextlib.suppress(ValueError):
            record = json.loads(text)
            if isinstance(record, dict) and "lat" in record:
                number, is_marked = number_of(record["lat"]), record.get("repeated", False)
                self.unmarked += number in self.counts and not is_marked
                self.doubtful += number not in self.counts and is_marked
                self.counts[number] += 1

    @property
    def repeated(self):
        return self.counts.total() - len(self.counts)


class HTTPServer:
    """A server that takes positions, and answers as its mode says."""
    # What each failure answers with; the connection stays open after a whole answer.
    MODES = {
        "500": "500 no\r\n", "503": "503 no\r\nRetry-After: 1\r\n", "503 date": "503 no\r\nRetry-After: {date}\r\n", "429": "429 no\r\n",
        "closing": "", "hanging": "", "broken": "HTTP/1.1 500 no\r\nContent-Length: 100\r\n\r\nhalf", "foreign": "SSH-2.0-OpenSSH_9.2p1\r\n",
        "slow": "200 OK\r\n", "absent": ""}

    def __init__(self):
        self.mode, self.until = "fine", float("inf")
        self.taken, self.refused = Arrivals(), 0
        self.server, self.port, self.writers = None, 0, set()

    async def open(self):
        self.server = await asyncio.start_server(self.accept, "127.0.0.1", self.port)
        self.port = self.server.sockets[0].getsockname()[1]

    async def change(self, mode, seconds=float("inf")):
        before, self.mode, self.until = self.mode, mode, time.monotonic() + seconds
        for writer in list(self.writers):
            writer.transport.abort()
        if mode == "absent" != before:
            self.server.close()
        elif before == "absent" != mode:
            await self.open()

    async def run(self):
        while True:
            await asyncio.sleep(0.2)
            if time.monotonic() > self.until:
                await self.change("fine")

    async def accept(self, reader, writer):
        self.writers.add(writer)
        with contextlib.suppress(asyncio.IncompleteReadError, asyncio.LimitOverrunError, OSError):
            while head := await reader.readuntil(b"\r\n\r\n"):
                size = re.search(rb"\r\ncontent-length: *(\d+)", head.lower())
                body = await reader.readexactly(int(size[1])) if size else b""
                if not await self.answer(writer, body):
                    break
        self.writers.discard(writer)
        writer.close()

    async def answer(self, writer, body):
        """Answers one request; returns whether the connection stays open."""
        mode = self.mode
        if mode in ("fine", "slow"):
            await asyncio.sleep(0.5 if mode == "slow" else 0)
            self.taken.add(body)
        else:
            self.refused += 1
        while self.mode == mode == "hanging":
            await asyncio.sleep(0.1)
        # A server's clock is right, whatever this machine's clock shows.
        text = self.MODES.get(mode, "200 OK\r\n").format(date=email.utils.formatdate(time.time() + 2, usegmt=True))
        is_whole = text[:1].isdigit()
        writer.write((f"HTTP/1.1 {text}Content-Length: 0\r\n\r\n" if is_whole else text).encode())
        return is_whole


class Broker:
    """mosquitto, a relay in front of it, and a subscriber behind it whose session the broker keeps."""

    def __init__(self):
        self.daemon = Mosquitto("persistence true")
        self.relay, self.ends = None, contextlib.ExitStack()
        self.arrivals, self.changes, self.is_stopped = Arrivals(), [], False

    def open(self):
        self.ends.enter_context(self.daemon)
        self.relay = Relay(self.daemon.port)
        self.ends.callback(self.relay.cut)
        self.ends.enter_context(subscriber(self.daemon.port, TOPIC, self.arrivals.add))

    def disturb(self, random):
        """Begins a fault and returns its name."""
        kind = random.choice(["cut", "stopped", "restarted"])
        over = time.monotonic() + random.uniform(0.5, 8)
        if kind == "cut":
            self.relay.cut()
            self.changes.append((over, self.relay.mend))
        elif kind == "stopped" and not self.is_stopped:
            self.daemon.process.send_signal(signal.SIGSTOP)
            self.is_stopped = True
            self.changes.append((over, self.proceed))
        elif kind == "restarted" and not self.is_stopped:
            end(self.daemon.process)
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
        for _, change in over:
            change()

    def close(self):
        self.step(everything=True)
        self.ends.close()
