#!/usr/bin/env python3
"""Loads brokers with simulated receivers, one connection each, counts what arrives, and prints the figures as JSON."""
import argparse
import collections
import contextlib
import errno
import gc
import json
import math
import multiprocessing
import pathlib
import random
import re
import select
import socket
import struct
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from lib import mqtt  # noqa: E402
from lib.processes import allow_descriptors, used  # noqa: E402

TOPIC, FILTER = b"owntracks/fleet/d%d", "owntracks/fleet/+"
DEVICE = re.compile(rb"owntracks/fleet/d(\d+)$")
STAMP = re.compile(rb'"seq":(\d+),"due":(\d+)}$')
# The devices are spread over this many kilometres, and drive at this speed in metres per second.
AREA, SPEED, METRES_PER_DEGREE = 40, 16, 111_000
# The messages of a device that may wait for their acknowledgement.
IN_FLIGHT = 20
# More bytes than this are not queued in front of the system's own buffer.
CONGESTED = 1 << 16
# The seconds after which a connection that does not answer is given up.
SILENCE = 30
# A new interpreter would run the load again.
FORK = multiprocessing.get_context("fork")


class Connection:
    """A connection that begins with the packet of a client. It ends with a reset, as that of a killed program can."""

    def __init__(self, address, hello):
        self.socket = socket.socket()
        self.socket.setblocking(False)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.unsent, self.unread = bytearray(hello), bytearray()
        self.has_failed = self.socket.connect_ex(address) not in (0, errno.EINPROGRESS)

    def send(self, data):
        if self.unsent:
            self.unsent += data
            return self.flush()
        # Nearly always the system takes everything at once.
        self.unsent += data[self.attempt(self.socket.send, data) or 0:]

    def flush(self):
        """Sends what the system takes."""
        if self.unsent:
            del self.unsent[:self.attempt(self.socket.send, self.unsent) or 0]

    def receive(self):
        """Returns the packets that have come."""
        while data := self.attempt(self.socket.recv, 1 << 16):
            self.unread += data
            if len(data) < 1 << 16:
                break
        self.has_failed |= data == b""
        return mqtt.packets(self.unread)

    def attempt(self, call, argument):
        try:
            return call(argument)
        except BlockingIOError:
            return None
        except OSError as error:
            # A connection that is not established yet is not ready either.
            self.has_failed |= error.errno != errno.ENOTCONN
            return None


class Loop:
    """The owners of connections, each of which is served when its connection is ready."""

    def __init__(self):
        self.poller = select.epoll()
        self.owners = {}

    def add(self, connection, owner):
        descriptor = connection.socket.fileno()
        self.owners[descriptor] = owner
        # An edge comes whenever there is more to read or room to write, so that the registration never changes.
        self.poller.register(descriptor, select.EPOLLIN | select.EPOLLOUT | select.EPOLLRDHUP | select.EPOLLET)

    def remove(self, connection):
        del self.owners[connection.socket.fileno()]
        connection.socket.close()

    def step(self, seconds):
        """Serves the owners that are ready, or waits for one."""
        for descriptor, _ in self.poller.poll(seconds, 512):
            # One before it in the list may have ended it.
            if owner := self.owners.get(descriptor):
                owner.serve()


class Tally:
    """The count of the messages that consumers receive, by device and sequence number."""

    def __init__(self, devices):
        self.received = [set() for _ in range(devices)]
        self.highest = [-1] * devices
        # The different messages, those that had come before, and those that came first after a later one of their device.
        self.count = self.duplicated = self.out_of_order = 0
        # The nanoseconds from the due time of each message to its arrival.
        self.latencies = []
        self.processor_time = 0.0

    def add(self, topic, payload):
        now = time.monotonic_ns()
        device, stamp = DEVICE.match(topic), STAMP.search(payload)
        # Any other message is not from the fleet.
        if not device or not stamp or (device := int(device[1])) >= len(self.received):
            return
        sequence = int(stamp[1])
        if sequence in self.received[device]:
            self.duplicated += 1
            return
        self.received[device].add(sequence)
        self.count += 1
        self.out_of_order += sequence < self.highest[device]
        self.highest[device] = max(self.highest[device], sequence)
        self.latencies.append(now - int(stamp[2]))


class Consumer:
    """A subscriber, which acknowledges what it has counted."""

    def __init__(self, number, options, address, loop, tally):
        self.hello = mqtt.connect(b"fleet-consumer-%d" % number, is_clean=not options.keep_sessions)
        topics = f"$share/{options.share}/{FILTER}" if options.share else FILTER
        self.subscription = mqtt.subscribe(topics.encode(), 1)
        self.address, self.loop, self.tally = address, loop, tally
        self.connection, self.is_ready, self.is_wanted, self.retry = None, False, True, 0.0

    def check(self):
        """Connects if that is due, and drops a connection that has ended or is not wanted."""
        if self.connection and (self.connection.has_failed or not self.is_wanted):
            self.loop.remove(self.connection)
            self.connection, self.is_ready = None, False
        if not self.connection and self.is_wanted and time.monotonic() >= self.retry:
            self.retry = time.monotonic() + 0.5
            self.connection = Connection(self.address, self.hello)
            self.loop.add(self.connection, self)

    def serve(self):
        acknowledgements = []
        for kind, body in self.connection.receive():
            if kind & 0xF0 == mqtt.MESSAGE:
                topic, payload, number = mqtt.content(kind, body)
                # A retained message is from an earlier run.
                if not kind & 1:
                    self.tally.add(topic, payload)
                if number is not None:
                    acknowledgements.append(mqtt.acknowledge(number))
            elif kind == mqtt.CONNECTED and body[1] == 0:
                self.connection.send(self.subscription)
            elif kind == mqtt.SUBSCRIBED:
                self.is_ready = True
        self.connection.flush()
        if acknowledgements:
            self.connection.send(b"".join(acknowledgements))


class Consumers:
    """The process of the consumers as the load sees it."""

    def __init__(self, options, address):
        self.pipe, theirs = FORK.Pipe()
        # The consumers that have subscribed, and the different messages that have arrived.
        self.figures = FORK.Array("q", 2)
        self.process = FORK.Process(target=self.run, args=(options, address, theirs), daemon=True)
        self.process.start()
        theirs.close()

    def stop(self):
        """Ends the consumers and returns their tally."""
        self.pipe.send(None)
        tally = self.pipe.recv()
        self.process.join()
        return tally

    def run(self, options, address, pipe):
        self.pipe.close()
        tally, loop = Tally(options.devices), Loop()
        consumers = [Consumer(number, options, address, loop, tally) for number in range(options.consumers)]
        # An order says whether the first consumer is wanted; `None` is the end, as is that of a load that was killed.
        order = True
        with contextlib.suppress(EOFError):
            while order is not None:
                if pipe.poll():
                    order = consumers[0].is_wanted = pipe.recv()
                for consumer in consumers:
                    consumer.check()
                loop.step(0.05)
                self.figures[:] = sum(consumer.is_ready for consumer in consumers), tally.count
        tally.latencies.sort()
        tally.processor_time = time.process_time()
        with contextlib.suppress(OSError):
            pipe.send(tally)


class Device:
    """A receiver that drives straight on, and sends its queue in order."""

    def __init__(self, number, fleet):
        self.number, self.fleet = number, fleet
        source = random.Random(number)
        self.latitude = 45 + (source.random() - 0.5) * AREA * 1000 / METRES_PER_DEGREE
        self.longitude = 7.7 + (source.random() - 0.5) * AREA * 1400 / METRES_PER_DEGREE
        self.course = source.randrange(360)
        self.north = math.cos(math.radians(self.course)) * SPEED / METRES_PER_DEGREE
        self.east = math.sin(math.radians(self.course)) * SPEED * 1.4 / METRES_PER_DEGREE
        self.connection, self.is_open = None, False
        # The time of the next attempt to connect, and that of the last one.
        self.retry = self.began = 0.0
        # The attempts that failed since the last one that did not, which choose the broker.
        self.failures = 0
        self.connections = self.sent = self.resent = 0
        # The due times of all messages in nanoseconds, and the acknowledged ones by their index.
        self.due, self.acknowledged = [], set()
        self.waiting, self.in_flight, self.last = collections.deque(), {}, 0

    def make_fix(self, due, civil):
        """Appends OwnTracks' message of a moment, with the marks by which it is counted, and sends it if it can."""
        elapsed = (due - self.fleet.start) / 1e9
        payload = (b'{"_type":"location","lat":%.7f,"lon":%.7f,"tst":%d,"tid":"d1","acc":4,"alt":239,"vel":58,"cog":%d,'
                   b'"seq":%d,"due":%d}' % (self.latitude + self.north * elapsed, self.longitude + self.east * elapsed,
                                            civil, self.course, len(self.due), due))
        self.waiting.append((len(self.due), payload))
        self.due.append(due)
        self.send()

    @property
    def queued(self):
        """The number of messages that were not sent or not acknowledged."""
        return len(self.waiting) + len(self.in_flight)

    def connect(self, now):
        addresses = self.fleet.addresses
        address = addresses[(self.number + self.failures) % len(addresses)]
        self.connection = Connection(address, mqtt.connect(b"fleet-d%d" % self.number))
        self.began = now
        self.fleet.loop.add(self.connection, self)
        self.fleet.connecting += 1

    def leave(self, now, retry=None):
        """Ends the connection without a goodbye; what was not acknowledged is sent again by the next one."""
        if self.connection:
            self.fleet.loop.remove(self.connection)
            if self.is_open:
                self.fleet.open -= 1
            else:
                self.fleet.connecting -= 1
        self.connection, self.is_open = None, False
        self.failures += 1
        # The devices do not return together, and wait for 4 s at most.
        self.retry = retry or now + random.uniform(0.1, 1) * (1 << min(2, self.failures // 4))
        self.resent += len(self.in_flight)
        self.waiting.extendleft((sequence, payload) for sequence, payload, _ in reversed(self.in_flight.values()))
        self.in_flight = {}

    def serve(self):
        """Processes what has come, and sends what can be sent."""
        for kind, body in self.connection.receive():
            if kind == mqtt.CONNECTED and body[1] == 0:
                self.is_open, self.failures = True, 0
                self.connections += 1
                self.fleet.connecting -= 1
                self.fleet.open += 1
            elif kind == mqtt.ACKNOWLEDGED and (message := self.in_flight.pop(int.from_bytes(body[:2]), None)):
                self.acknowledged.add(message[0])
        self.connection.flush()
        self.send()

    def send(self):
        connection = self.connection
        while self.is_open and self.waiting and len(self.in_flight) < IN_FLIGHT and len(connection.unsent) <= CONGESTED:
            sequence, payload = self.waiting.popleft()
            self.sent = max(self.sent, sequence + 1)
            self.last = self.last % 65_535 + 1
            self.in_flight[self.last] = sequence, payload, time.monotonic()
            connection.send(mqtt.publish(TOPIC % self.number, payload, self.last, self.fleet.is_retained))
        if connection and connection.has_failed:
            self.leave(time.monotonic())

    def check(self, now):
        """Looks after what no connection reports: the time to connect, and silence."""
        if not self.connection:
            if now >= self.retry and self.fleet.connecting < self.fleet.connecting_limit:
                self.connect(now)
            return
        since = self.began if not self.is_open else next(iter(self.in_flight.values()), (0, 0, now))[2]
        if self.connection.has_failed or now - since > SILENCE:
            self.leave(now)
        elif self.waiting:
            self.send()


class Devices:
    """All devices of a fleet."""

    def __init__(self, options, addresses, loop):
        self.options, self.addresses, self.loop = options, addresses, loop
        self.is_retained = not options.no_retain
        self.start = 0
        # Those that are connected, those that are connecting, and how many of the latter there may be at the same time.
        self.open, self.connecting, self.connecting_limit = 0, 0, 64
        self.devices = [Device(number, self) for number in range(options.devices)]
        # The fixes that were made, those that will be, and the nanoseconds between two of them.
        self.made, self.total = 0, round(options.seconds * options.devices)
        self.interval = 1e9 / options.devices
        # The largest delay of a fix behind its due time in nanoseconds: whether the load generator itself was too slow.
        self.delay = 0
        self.next_check = 0.0

    def total_of(self, name):
        return sum(getattr(device, name) for device in self.devices)

    def step(self):
        """Performs the pending work, and waits a little if there is none."""
        if self.start and self.made < self.total:
            self.make_fixes()
        now = time.monotonic()
        if now >= self.next_check:
            for device in self.devices:
                device.check(now)
            self.next_check = time.monotonic() + 0.02
        self.loop.step(0.002)

    def make_fixes(self):
        now = time.monotonic_ns()
        # A fix has the time at which it was due, so that one each second is in a second of its own.
        civil = time.time_ns() - now
        # Acknowledgements must be read meanwhile.
        for _ in range(min(200, self.total - self.made)):
            due = self.start + int(self.made * self.interval)
            if due > now:
                break
            self.delay = max(self.delay, now - due)
            self.devices[self.made % len(self.devices)].make_fix(due, (civil + due) // 1_000_000_000)
            self.made += 1

    def reconnect_at_once(self):
        """Ends all connections, and lets all devices connect again at the same time."""
        self.connecting_limit = len(self.devices)
        now = time.monotonic()
        for device in self.devices:
            device.leave(now, retry=now)
        self.next_check = 0.0


def broker(word):
    match = re.fullmatch(r"mqtt://([0-9.]+|localhost):(\d+)", word)
    if not match:
        raise argparse.ArgumentTypeError(f"{word}: expected mqtt://ADDRESS:PORT, without encryption")
    return match[1], int(match[2])


def options():
    parser = argparse.ArgumentParser(prog="python3 Tools/fleet/load.py", description=__doc__)
    parser.add_argument("brokers", nargs="+", type=broker, metavar="mqtt://ADDRESS:PORT",
                        help="the devices are spread over the brokers, and turn to the next one if theirs fails")
    parser.add_argument("--devices", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=10.0, help="the duration of the load")
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
        # Beside the connections: the standard descriptors, the loop, and the pipes of the consumers.
        allow_descriptors(options.devices + options.consumers + 32)
        # Forked before there is anything else to share.
        self.consumers = Consumers(options, options.consumer or options.brokers[0]) if options.consumers else None
        self.fleet = Devices(options, options.brokers, Loop())

    def run(self):
        empty = used(self.options.pid)
        self.connect()
        before, own = used(self.options.pid), time.process_time()
        self.fleet.start = time.monotonic_ns()
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
        while self.consumers and self.consumers.figures[0] < self.options.consumers:
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
        while fleet.made < fleet.total or reconnected is not None:
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
                    self.consumers.pipe.send(name == "return")
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
        while self.fleet.total_of("queued") and time.monotonic() < limit:
            self.fleet.step()
        sent, received, last = self.fleet.total_of("sent"), -1, time.monotonic()
        while self.consumers and time.monotonic() < limit:
            self.fleet.step()
            if self.consumers.figures[1] != received:
                received, last = self.consumers.figures[1], time.monotonic()
            if received >= sent or time.monotonic() - last > 3:
                break

    def count(self, end):
        """Adds what was counted; returns the processor time of the consumers."""
        devices = self.fleet.devices
        self.figures |= {"devices": len(devices), "acknowledged": sum(len(each.acknowledged) for each in devices)}
        self.figures |= {name: self.fleet.total_of(name) for name in ("connections", "sent", "resent", "queued")}
        if self.options.acknowledged:
            with open(self.options.acknowledged, "w") as file:
                for each in devices:
                    file.writelines(f"{each.number} {sequence}\n" for sequence in sorted(each.acknowledged))
        if not self.consumers:
            return 0.0
        tally = self.consumers.stop()
        lost = [each.due[sequence] for each, received in zip(devices, tally.received)
                for sequence in each.acknowledged - received]
        self.figures |= {"received": tally.count, "lost": len(lost), "duplicated": tally.duplicated,
                         "out_of_order": tally.out_of_order}
        if end is not None and lost:
            self.figures |= {"loss_begin_s": (min(lost) - end) / 1e9, "loss_end_s": (max(lost) - end) / 1e9}
        for name, rank in (("p50", 0.5), ("p99", 0.99), ("max", 1.0)) if tally.count else ():
            self.figures[f"latency_{name}_ms"] = tally.latencies[round((tally.count - 1) * rank)] / 1e6
        return tally.processor_time


if __name__ == "__main__":
    # The pauses of the collector of cycles would count as latency, and what the load drops is in no cycle.
    gc.disable()
    print(json.dumps({name: round(value, 3) for name, value in Run(options()).run().items()}))
