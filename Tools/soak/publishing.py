"""`locwatch publish` to the broker and to the HTTP server."""
import asyncio
import json
import signal
import time

from program import STALE, Program, check
from servers import TOPIC

# The seconds after which a record that a target has not got in a lull counts as lost.
DRAIN = 90


class Publish(Program):
    name = "publish"

    def words(self):
        self.web, self.broker = self.peers
        self.reported = {}
        self.dropped = 0
        # The longest time until the targets had everything.
        self.drained = 0.0
        return ["publish", "-j", "--stale", f"{STALE:.0f}s", "--queue", "queue", "--backlog-rate", "unlimited",
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
        began = time.monotonic()
        next_hurry = began
        while lacks := self.lacking():
            if time.monotonic() > next_hurry:
                self.hurry()
                next_hurry += 3
            check(time.monotonic() - began < DRAIN, f"publish: {lacks}, and {self.dropped} were dropped")
            await asyncio.sleep(0.1)
        self.drained = max(self.drained, time.monotonic() - began)
        for name, arrivals in self.arrivals.items():
            unknown = [number for number in arrivals.counts if number not in self.receiver.sent]
            check(not unknown, f"publish: {name} has positions that were not sent: {unknown[:5]}")
            if event := self.reported.get(name):
                check(event["sent"] <= arrivals.messages,
                      f"publish: reports {event['sent']} records sent by {name}, of which {arrivals.messages} arrived")
        check(self.dropped == 0, f"publish: {self.dropped} records were dropped")
        order = self.web.taken.order
        check(order == sorted(order), "publish: the HTTP server did not get the positions in order")

    @property
    def summary(self):
        return ", ".join(f"{name} {len(arrivals.counts)} positions and {arrivals.repeated} again"
                         for name, arrivals in self.arrivals.items()) + (
            f", {self.web.refused} requests refused, drained in {self.drained:.0f} s at most, {self.stops} stops")
