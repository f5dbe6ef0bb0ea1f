"""Loads brokers with simulated receivers, one connection each, counts what arrives, and prints the figures as JSON."""
import argparse
import gc
import json
import pathlib
import re
import sys
import time

# Keep Python's cache files out of the folder of scripts.
sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "test"))

from connection import Loop  # noqa: E402, the path of the packets is set there
from consumers import Consumers  # noqa: E402
from devices import Devices  # noqa: E402
from usage import need_descriptors, used  # noqa: E402


def broker(word):
    match = re.fullmatch(r"mqtt://([0-9.]+|localhost):(\d+)", word)
    if not match:
        raise argparse.ArgumentTypeError(f"{word}: expected mqtt://ADDRESS:PORT, without encryption")
    return match[1], int(match[2])


def options():
    parser = argparse.ArgumentParser(prog="python3 Tools/fleet/load", description=__doc__)
    parser.add_argument("brokers", nargs="+", type=broker, metavar="mqtt://ADDRESS:PORT",
                        help="the devices are spread over the brokers, and turn to the next one if theirs fails")
    parser.add_argument("--devices", type=int, default=100)
    parser.add_argument("--rate", type=float, default=1.0, help="the fixes of each device in a second")
    parser.add_argument("--seconds", type=float, default=10.0, help="the duration of the load")
    parser.add_argument("--qos", type=int, choices=(0, 1), default=1)
    parser.add_argument("--no-retain", action="store_true", help="the broker keeps no last position of each device")
    parser.add_argument("--drain-timeout", type=float, default=60.0, help="the seconds for what is queued after the load")
    parser.add_argument("--reconnect", type=float, help="the second at which all devices connect again at once")
    parser.add_argument("--consumers", type=int, default=1, help="0 leaves the counting to another program")
    parser.add_argument("--consumer", type=broker, metavar="mqtt://ADDRESS:PORT", help="the broker of the consumers")
    parser.add_argument("--share", metavar="GROUP", help="the group of consumers that share the messages")
    parser.add_argument("--keep-sessions", action="store_true", help="the broker keeps what an absent consumer misses")
    parser.add_argument("--end-consumer", type=float, help="the second at which the first consumer is killed")
    parser.add_argument("--return-consumer", type=float, help="the second at which it returns")
    parser.add_argument("--pid", type=int, action="append", default=[], help="a process whose use is reported")
    parser.add_argument("--acknowledged", type=pathlib.Path, help="the file of acknowledged messages: device and number")
    return parser.parse_args()


class Run:
    """Connects, sends, waits until everything has arrived, and counts."""

    def __init__(self, options):
        self.options, self.figures = options, {}
        need_descriptors(options.devices + options.consumers)
        # Forked before there is anything else to share.
        self.consumers = Consumers(options, options.consumer or options.brokers[0]) if options.consumers else None
        self.fleet = Devices(options, options.brokers, Loop())

    def run(self):
        empty = used(self.options.pid)
        self.connect()
        before, own = used(self.options.pid), time.process_time()
        self.fleet.begin()
        # A script that breaks something during the load waits for this line.
        print("all devices are connected", file=sys.stderr, flush=True)
        end = self.send()
        self.drain()
        elapsed = (time.monotonic_ns() - self.fleet.start) / 1e9
        after, own = used(self.options.pid), time.process_time() - own
        if self.options.pid:
            self.figures |= {
                "broker_cpu_percent": 100 * (after[0] - before[0]) / elapsed, "broker_connect_cpu_s": before[0] - empty[0],
                "broker_empty_mb": empty[1] / 1e6, "broker_connected_mb": before[1] / 1e6, "broker_loaded_mb": after[1] / 1e6}
        own += self.count(end)
        self.figures |= {"own_cpu_percent": 100 * own / elapsed, "own_delay_ms": self.fleet.delay / 1e6}
        return self.figures

    def connect(self):
        began = time.monotonic()
        limit, devices = began + 60 + self.options.devices / 50, self.options.devices
        while self.consumers and self.consumers.ready < self.options.consumers:
            if time.monotonic() > limit or not self.consumers.process.is_alive():
                raise SystemExit("the consumers cannot subscribe")
            time.sleep(0.001)
        while self.fleet.open < devices:
            if time.monotonic() > limit:
                raise SystemExit(f"only {self.fleet.open} of {devices} devices could connect")
            self.fleet.step()
        self.figures["connect_s"] = time.monotonic() - began

    def send(self):
        """Makes all fixes, with what is to happen meanwhile; returns the time at which a consumer was killed, if any."""
        options, fleet, end, reconnected = self.options, self.fleet, None, None
        events = {"end": options.end_consumer, "return": options.return_consumer, "reconnect": options.reconnect}
        while not fleet.is_complete or reconnected is not None:
            fleet.step()
            now = time.monotonic_ns()
            for name in [name for name, second in events.items()
                         if second is not None and now >= fleet.start + second * 1e9]:
                del events[name]
                if name == "reconnect":
                    reconnected = now
                    fleet.reconnect_at_once()
                elif self.consumers:
                    end = now if name == "end" else end
                    self.consumers.set_first(name == "return")
            if reconnected is not None:
                elapsed = (now - reconnected) / 1e9
                if fleet.open >= options.devices / 2:
                    self.figures.setdefault("reconnect_half_s", elapsed)
                if fleet.open == options.devices:
                    self.figures["reconnect_s"], reconnected = elapsed, None
                elif elapsed > options.drain_timeout:
                    raise SystemExit(f"only {fleet.open} of {options.devices} devices could connect again")
        return end

    def drain(self):
        """Waits until everything has arrived, or until nothing has come for a while."""
        limit = time.monotonic() + self.options.drain_timeout
        while self.fleet.queued and time.monotonic() < limit:
            self.fleet.step()
        sent, received, last = self.fleet.sent, -1, time.monotonic()
        while self.consumers and time.monotonic() < limit:
            self.fleet.step()
            if self.consumers.received != received:
                received, last = self.consumers.received, time.monotonic()
            if received >= sent or time.monotonic() - last > 3:
                break

    def count(self, end):
        """Adds what was counted; returns the processor time of the consumers."""
        devices = self.fleet.devices
        self.figures |= {
            "devices": len(devices), "connections": sum(each.connections for each in devices), "sent": self.fleet.sent,
            "resent": sum(each.resent for each in devices),
            "acknowledged": sum(len(each.acknowledged) for each in devices), "queued": self.fleet.queued}
        if self.options.acknowledged:
            with open(self.options.acknowledged, "w") as file:
                for each in devices:
                    file.writelines(f"{each.number} {sequence}\n" for sequence in sorted(each.acknowledged))
        if not self.consumers:
            return 0.0
        tally = self.consumers.stop()
        # Without acknowledgements everything that was sent should arrive.
        lost = [each.due[sequence] for each, received in zip(devices, tally.received)
                for sequence in (each.acknowledged if self.options.qos else set(range(each.sent))) - received]
        self.figures |= {"received": tally.count, "lost": len(lost), "duplicated": tally.duplicated,
                         "out_of_order": tally.out_of_order}
        if end is not None and lost:
            self.figures |= {"loss_begin_s": (min(lost) - end) / 1e9, "loss_end_s": (max(lost) - end) / 1e9}
        for name, rank in (("p50", 0.5), ("p99", 0.99), ("max", 1.0)) if tally.count else ():
            self.figures[f"latency_{name}_ms"] = tally.latencies[round((tally.count - 1) * rank)] / 1e6
        return tally.processor_time


# The pauses of the collector of cycles would count as latency, and what the load drops is in no cycle.
gc.disable()
print(json.dumps({name: round(value, 3) for name, value in Run(options()).run().items()}))
