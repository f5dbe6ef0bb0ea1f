"""The count of the messages that consumers receive, by device and sequence number."""
import re
import time

DEVICE = re.compile(rb"owntracks/fleet/d(\d+)$")
STAMP = re.compile(rb'"seq":(\d+),"due":(\d+)}$')


class Tally:
    """The count of the messages that the consumers received."""

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
