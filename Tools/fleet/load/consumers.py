"""The consumers of a fleet in a process of their own, which count what arrives by device and sequence number."""
import contextlib
import multiprocessing
import time

import mqtt
from connection import Connection, Loop
from tally import Tally

FILTER = "owntracks/fleet/+"
# A new interpreter would run the load again.
FORK = multiprocessing.get_context("fork")


class Consumer:
    """A subscriber, which acknowledges what it has counted."""

    def __init__(self, number, options, address, loop, tally):
        self.hello = mqtt.connect(b"fleet-consumer-%d" % number, is_clean=not options.keep_sessions)
        topics = f"$share/{options.share}/{FILTER}" if options.share else FILTER
        self.subscription = mqtt.subscribe(topics.encode(), options.qos)
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
        self.figures = FORK.Array("q", 2)
        self.process = FORK.Process(target=self.run, args=(options, address, theirs), daemon=True)
        self.process.start()
        theirs.close()

    @property
    def ready(self):
        """The number of consumers that have subscribed."""
        return self.figures[0]

    @property
    def received(self):
        """The number of different messages that have arrived."""
        return self.figures[1]

    def set_first(self, is_wanted):
        """Kills the first consumer, or lets it return."""
        self.pipe.send(is_wanted)

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
