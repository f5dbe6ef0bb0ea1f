"""A stand-in gpsd with faults, which knows when each position was sent and on which connection."""
import asyncio
import contextlib
import json
import time

from lib.receivers import stamp

PATH = "/dev/ttyUSB0"
# The seconds between two reports.
CYCLE = 0.5
SCALE = 100_000
# The positions after a connection or a change of the fault that a program may take for those of before.
SETTLING = 4.0

GREETING = b'{"class":"VERSION","release":"3.25","rev":"3.25","proto_major":3,"proto_minor":15}\r\n'
FINE = ("reporting", "noisy", "chunked")
REFUSING = ("absent", "closing", "foreign", "silent", "denying")
FAULTS = ("noisy", "chunked", "quiet", "without fix", "stalled", "unplugged", "reset", *REFUSING)


def latitude(number):
    return number / SCALE


def number_of(latitude):
    """Returns the number of the position with a latitude."""
    return round(float(latitude) * SCALE)


class Receiver:
    """A gpsd for one program; `sent` has for each number the time at which its position was sent."""

    def __init__(self, name, random):
        self.name, self.random = name, random
        self.condition = "reporting"
        self.next = 1
        self.sent = {}
        self.newest = b""
        # The runs of numbers within one connection of which a program that shows one has to show all before it.
        self.runs = []
        self.connections = set()
        # Those that watch.
        self.clients = set()
        self.server = None
        self.port = 0
        self.quiet_until = 0.0
        # Whether the program runs: what it reads after a stop counts as late, because nothing says when it arrived.
        self.is_heard = True
        self.good_since = time.monotonic()
        # The seconds by which leap seconds have set back the receiver's clock.
        self.leaps = 0
        self.until = float("inf")

    async def open(self):
        self.server = await asyncio.start_server(self.accept, "127.0.0.1", self.port)
        self.port = self.server.sockets[0].getsockname()[1]

    async def accept(self, reader, writer):
        self.connections.add(writer)
        try:
            if self.condition == "closing":
                return
            if self.condition in ("foreign", "silent"):
                writer.write(b"SSH-2.0-OpenSSH_9.2p1\r\n" if self.condition == "foreign" else b"")
                await reader.read()
                return
            writer.write(GREETING)
            while line := await reader.readline():
                if self.condition != "stalled":
                    self.answer(line, writer)
        except (OSError, ValueError):
            pass
        finally:
            self.connections.discard(writer)
            self.clients.discard(writer)
            with contextlib.suppress(OSError):
                writer.close()

    def answer(self, request, writer):
        if self.condition == "denying":
            writer.write(b'{"class":"ERROR","message":"the soak denies it"}\r\n')
        elif b"?DEVICES" in request:
            writer.write(self.devices())
        elif b"?POLL" in request:
            # gpsd repeats the last position, however old it is.
            writer.write(b'{"class":"POLL","time":"%b","active":1,"tpv":[%b],"sky":[]}\r\n' % (
                self.time().encode(), self.newest.strip()))
        elif b"?WATCH" in request:
            writer.write(self.devices() + b'{"class":"WATCH","enable":true,"json":true}\r\n')
            self.clients.add(writer)
            self.begin_run()

    def devices(self):
        device = [] if self.condition == "unplugged" else [
            {"class": "DEVICE", "path": PATH, "driver": "u-blox", "activated": self.time(), "cycle": CYCLE}]
        return json.dumps({"class": "DEVICES", "devices": device}).encode() + b"\r\n"

    def time(self):
        return stamp(time.time() - self.leaps)

    def begin_run(self):
        """Begins a run of positions, the first ones of which may be missing."""
        self.runs.append([])
        self.quiet_until = time.monotonic() + SETTLING

    def leap(self):
        """Repeats a second of the receiver's clock."""
        self.leaps += 1
        self.begin_run()

    async def change(self, condition, seconds=float("inf")):
        """Enters a condition for a time."""
        if self.condition == condition:
            return
        before = self.condition
        self.condition, self.until = condition, time.monotonic() + seconds
        self.good_since = time.monotonic() if condition in FINE and before not in FINE else self.good_since
        self.begin_run()
        if condition == "unplugged":
            self.send(json.dumps({"class": "DEVICE", "path": PATH, "activated": 0}).encode() + b"\r\n")
        elif condition == "stalled":
            self.send(self.report(3)[:40])
        elif condition in REFUSING or condition == "reset" or before in ("stalled", *REFUSING):
            self.hang_up()
        elif before == "unplugged":
            self.send(self.devices())
        if condition == "absent":
            self.server.close()
        elif before == "absent":
            await self.open()
        if condition == "reset":
            await self.change("reporting")

    def hang_up(self):
        self.clients.clear()
        for writer in list(self.connections):
            if self.random.random() < 0.5:
                writer.write(self.report(3)[:self.random.randrange(1, 60)])
                writer.close()
            else:
                writer.transport.abort()

    def report(self, mode):
        position = {"lat": latitude(self.next), "lon": 7.0, "altMSL": 100.0, "eph": 3.0} if mode > 1 else {}
        return json.dumps(
            {"class": "TPV", "device": PATH, "mode": mode, "time": self.time()} | position).encode() + b"\r\n"

    def send(self, data):
        for writer in list(self.clients):
            if self.condition == "chunked" and len(data) > 60:
                asyncio.get_running_loop().create_task(self.send_slowly(writer, data))
            else:
                writer.write(data)

    async def send_slowly(self, writer, data):
        writer.write(data[:50])
        await asyncio.sleep(0.05)
        with contextlib.suppress(OSError):
            writer.write(data[50:])

    async def run(self):
        """Reports once in each cycle."""
        due = time.monotonic()
        while True:
            if time.monotonic() > self.until:
                await self.change("reporting")
            self.tick()
            due = max(due + CYCLE, time.monotonic())
            await asyncio.sleep(due - time.monotonic())

    def tick(self):
        if self.condition == "without fix":
            self.send(self.report(1))
        if self.condition not in FINE:
            return
        if self.condition == "noisy":
            self.send(self.random.randbytes(self.random.randrange(1, 400)).replace(b"\n", b"") + b"\n")
        now = time.monotonic()
        self.sent[self.next] = now
        if self.clients and self.is_heard and now > self.quiet_until:
            self.runs[-1].append(self.next)
        self.newest = self.report(3)
        self.send(self.newest)
        self.next += 1

    def missing(self, shown):
        """Returns the numbers that are not among the shown ones although a later one of their run is."""
        gaps = []
        for run in self.runs:
            present = [number for number in run if number in shown]
            if present:
                gaps += [number for number in run if number < present[-1] and number not in shown]
        return gaps
