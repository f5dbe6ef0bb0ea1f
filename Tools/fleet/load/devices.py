"""The simulated receivers of a fleet, each with a connection and a queue of its own."""
import collections
import math
import random
import time

import mqtt
from connection import Connection

TOPIC = b"owntracks/fleet/d%d"
# The devices are spread over this many kilometres, and drive at this speed in metres per second.
AREA, SPEED = 40, 16
METRES_PER_DEGREE = 111_000
# The messages of a device that may wait for their acknowledgement.
IN_FLIGHT = 20
# The seconds after which a connection that does not answer is given up.
SILENCE = 30


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
        while (self.is_open and self.waiting and len(self.in_flight) < IN_FLIGHT and not connection.is_congested):
            sequence, payload = self.waiting.popleft()
            self.sent = max(self.sent, sequence + 1)
            number = None
            if self.fleet.is_acknowledged:
                number = self.last = self.last % 65_535 + 1
                self.in_flight[number] = sequence, payload, time.monotonic()
            connection.send(mqtt.publish(TOPIC % self.number, payload, number, self.fleet.is_retained))
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
        self.is_acknowledged, self.is_retained = options.qos == 1, not options.no_retain
        self.start = 0
        # Those that are connected, those that are connecting, and how many of the latter there may be at the same time.
        self.open, self.connecting, self.connecting_limit = 0, 0, 64
        self.devices = [Device(number, self) for number in range(options.devices)]
        # The fixes that were made, those that will be, and the nanoseconds between two of them.
        self.made, self.total = 0, round(options.seconds * options.rate * options.devices)
        self.interval = 1e9 / (options.rate * options.devices)
        # The largest delay of a fix behind its due time in nanoseconds: whether the load generator itself was too slow.
        self.delay = 0
        self.next_check = 0.0

    def begin(self):
        self.start = time.monotonic_ns()

    @property
    def is_complete(self):
        return self.made == self.total

    @property
    def queued(self):
        return sum(device.queued for device in self.devices)

    @property
    def sent(self):
        return sum(device.sent for device in self.devices)

    def step(self):
        """Performs the pending work, and waits a little if there is none."""
        if self.start and not self.is_complete:
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
