"""The programs of the soak: `watch` with hooks and metrics, `web`, and `publish` to two targets."""
import asyncio
import collections
import contextlib
import json
import signal
import socket
import struct
import time

from lib.processes import free_port
from program import GRACE, STALE, Program, check
from receiver import number_of
from servers import TOPIC

# The seconds for a hook.
HOOK_LIMIT = 2.0
# The seconds after which a record that a target has not got in a lull counts as lost.
DRAIN = 90


class Follower:
    """The state that the lines of `watch -j` show to a reader who has asked for them at a time."""

    def __init__(self, program, what, asked=0.0):
        self.program, self.what, self.asked = program, what, asked
        self.is_found = False
        self.last = None
        self.changed = time.monotonic()

    def take(self, text):
        event = json.loads(text)
        if event["event"] == "state":
            self.is_found = event["to"] == "found"
            self.changed = time.monotonic()
        elif event["event"] == "location" and not event.get("late") and event.get("standing", "current") == "current":
            self.last = number_of(event["lat"])
            self.program.check_delivered(self.last, self.what, self.asked)
        return event

    def check(self):
        if not self.program.is_awake or time.monotonic() - self.changed < GRACE:
            return
        if self.is_found and self.last is not None:
            self.program.check_age(self.last, self.what)
        check(self.is_found or not self.program.must_be_found,
              f"{self.program.name}: {self.what} shows no position although the receiver reports")


class Watch(Program):
    name = "watch"

    def words(self):
        hook = 'echo "$LOCWATCH_EVENT $LOCWATCH_EVENT_TIME" >>hooks'
        self.follower, self.shown, self.events = Follower(self, "the last line"), set(), []
        return ["watch", "-j", "--stale", f"{STALE:.0f}s", "--metrics-file", "metrics.prom", "--on", f"found={hook}", "--on", f"lost={hook}"]

    def take(self, line):
        before = self.follower.is_found
        event = self.follower.take(line)
        if self.follower.is_found != before:
            self.events.append(("found" if self.follower.is_found else "lost", event["time"]))
        if event["event"] == "location":
            self.shown.add(number_of(event["lat"]))

    def observe(self):
        self.follower.check()
        metrics = self.folder / "metrics.prom"
        check(not metrics.exists() or metrics.read_text().endswith("\n"), "watch: the metrics file is incomplete")

    async def settle(self):
        await asyncio.sleep(1)
        missing = self.receiver.missing(self.shown)
        check(not missing, f"watch: positions are missing, such as {missing[:5]}")
        runs, events = collections.Counter(tuple(line.split(" ", 1)) for line in self.hooks()), collections.Counter(self.events)
        check(not runs - events, f"watch: hooks ran without an event: {list(runs - events)[:3]}")
        # An event replaces an older one of the same kind that still waits, such as after a stop.
        missed = (events - runs).total()
        check(missed <= 2 * len(self.stops) + len(events) // 50, f"watch: {missed} of {len(self.events)} events had no hook")
        check(not self.events or self.events[-1] in runs, "watch: the newest event had no hook")

    def hooks(self):
        path = self.folder / "hooks"
        return path.read_text().splitlines() if path.exists() else []

    @property
    def summary(self):
        return f"{len(self.shown)} of {self.receiver.next - 1} positions, {len(self.events)} changes, {len(self.hooks())} hooks"


class Web(Program):
    name = "web"
    PATHS = ("/", "/track.gpx", "/track.geojson", "/metrics", "/history.json", "/page.json", "/healthz", "/nothing")

    # Most end at once; some fail, and some leave a program behind and do not end.
    HOOK = "case $(($(date +%s) % 7)) in 0) exit 1 ;; 1) sleep 1000 & sleep 1000 ;; 2) yes | head -c 100000 ;; esac"

    def words(self):
        self.port, self.since = free_port(), time.monotonic()
        self.requests = self.positions = 0
        self.follower = Follower(self, "/events")
        return ["web", "--stale", f"{STALE:.0f}s", "--port", self.port, "--on", f"every={self.HOOK}",
                "--hook-limit", f"{HOOK_LIMIT:.0f}s"]

    def tasks(self):
        return [*super().tasks(), self.poll(), self.follow(), self.glance(), self.abuse()]

    @contextlib.asynccontextmanager
    async def answer(self, path, seconds, version="1.1"):
        """Asks for a path and yields the reader of the answer, for a time or until the end of the block."""
        async with asyncio.timeout(seconds):
            reader, writer = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 20)
            with contextlib.closing(writer):
                writer.write(f"GET {path} HTTP/{version}\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
                yield reader

    async def ask(self, path):
        """Returns the status and the content of a path, or `None` if the program is stopped."""
        self.requests += 1
        try:
            async with self.answer(path, 20) as reader:
                head, _, body = (await reader.read(-1)).partition(b"\r\n\r\n")
            return int(head.split(b" ")[1]), body
        except (TimeoutError, OSError, IndexError):
            check(not self.is_awake or time.monotonic() - self.since < 5 or self.is_ending, f"web: no answer for {path}")
            return None, b""

    async def poll(self):
        while True:
            await asyncio.sleep(0.5)
            asked = time.monotonic()
            status, body = await self.ask("/location")
            if status == 200:
                self.positions += 1
                self.check_delivered(number_of(json.loads(body)["lat"]), "/location", asked)
            elif status is not None:
                check(status == 503, f"web: /location has status {status}")
                check(not self.must_be_found, "web: /location has no position although the receiver reports")

    async def read_events(self, follower, seconds=None):
        """Lets a follower take the events of a connection, for a time or until it ends."""
        with contextlib.suppress(OSError, TimeoutError):
            # Without chunks, within which a line could be cut.
            async with self.answer("/events", seconds, version="1.0") as reader:
                async for line in reader:
                    if line.startswith(b"data: {"):
                        follower.take(line[6:])

    async def follow(self):
        """Reads the events, and connects again when the connection ends."""
        while True:
            await self.read_events(self.follower)
            await asyncio.sleep(0.5)

    async def glance(self):
        """Reads what a new reader of the events begins with, in which nothing that is not current may look as if it were."""
        while True:
            await asyncio.sleep(self.random.uniform(1, 5))
            await self.read_events(Follower(self, "the beginning of /events", time.monotonic()), 0.5)

    async def abuse(self):
        """Asks for every path, and as clients that send half a request, take nothing, or are gone."""
        while True:
            await asyncio.sleep(self.random.uniform(0.2, 2))
            if not self.is_disturbed:
                continue
            path = self.random.choice(self.PATHS)
            if self.random.random() < 0.7:
                status, _ = await self.ask(path)
                check(status in (None, 404 if path == "/nothing" else 200), f"web: {path} has status {status}")
                continue
            with contextlib.suppress(OSError):
                client = socket.create_connection(("127.0.0.1", self.port))
                client.setblocking(False)
                path = self.random.choice(["/events", path])
                client.send(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()[:self.random.choice([9, 200])])
                asyncio.get_running_loop().call_later(self.random.uniform(0, 5), reset, client)

    def observe(self):
        self.follower.check()
        children = self.figures()["children"]
        check(children <= 2, f"web: {children} hooks run at once")

    async def settle(self):
        # The last clients leave, and a hook that does not end is ended.
        await asyncio.sleep(1)
        left = self.left_behind(older_than=HOOK_LIMIT + GRACE)
        check(not left, f"web: processes of hooks are left: {list(left.values())[:4]}")

    @property
    def summary(self):
        return f"{self.requests} requests, {self.positions} with a position"


def reset(client):
    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    client.close()


class Publish(Program):
    name = "publish"

    def words(self):
        self.web, self.broker = self.peers
        self.reported, self.dropped = {}, 0
        return ["publish", "-j", "--stale", f"{STALE:.0f}s", "--queue", "queue",
                f"{self.broker.relay.word}/{TOPIC}", "--to", f"http://127.0.0.1:{self.web.port}/in"]

    def take(self, line):
        event = json.loads(line)
        if event["event"] == "delivery":
            self.reported[event["target"].split(":")[0]] = event
            if event["change"] in ("dropped", "rejected"):
                self.dropped += event["records"]

    def hurry(self):
        self.process.send_signal(signal.SIGUSR1)

    @property
    def arrivals(self):
        return {"mqtt": self.broker.arrivals, "http": self.web.taken}

    @property
    def newest(self):
        return min(max(arrivals.counts, default=0) for arrivals in self.arrivals.values())

    def lacking(self):
        """Returns the text of what a target lacks, if anything."""
        both = set(self.broker.arrivals.counts) | set(self.web.taken.counts)
        for name, arrivals in self.arrivals.items():
            # What one target has, the other one gets too, but for what is under way.
            there = set(arrivals.counts)
            lacks = [number for number in both - there if time.monotonic() - self.receiver.sent[number] > 2]
            if missing := lacks + self.receiver.missing(there):
                return f"{name} lacks {len(missing)} positions, such as {sorted(missing)[:5]}"
        return None

    async def settle(self):
        began = next_hurry = time.monotonic()
        while lacks := self.lacking():
            if time.monotonic() > next_hurry:
                self.hurry()
                next_hurry += 3
            check(time.monotonic() - began < DRAIN, f"publish: {lacks}, and {self.dropped} were dropped")
            await asyncio.sleep(0.1)
        for name, arrivals in self.arrivals.items():
            unknown = arrivals.counts.keys() - self.receiver.sent.keys()
            check(not unknown, f"publish: {name} has positions that were not sent: {sorted(unknown)[:5]}")
            sent = self.reported[name]["sent"] if name in self.reported else 0
            check(sent <= arrivals.messages, f"publish: reports {sent} records sent by {name}, of which {arrivals.messages} arrived")
        check(self.dropped == 0, f"publish: {self.dropped} records were dropped")
        check(list(self.web.taken.counts) == sorted(self.web.taken.counts), "publish: the HTTP server did not get the positions in order")

    @property
    def summary(self):
        return f"{self.web.refused} requests refused, " + ", ".join(
            f"{name} {len(arrivals.counts)} positions and {arrivals.repeated} again" for name, arrivals in self.arrivals.items())
