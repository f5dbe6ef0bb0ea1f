"""The latency from the last byte of an epoch on the pseudo terminal to its line on standard output."""
import re
import time

import rig
from table import at_most

TIME = re.compile(rb'"time":"[^"]*T([0-9:.]+Z)"')


class Clock:
    """Measures the latency of each epoch by the first line with its position."""

    def __init__(self, mark):
        self.mark = mark
        self.seen = {}

    def line(self, line, moment):
        if self.mark in line and b'"lat"' in line and (found := TIME.search(line)):
            self.seen.setdefault(found[1].decode(), moment)

    def delays(self, times):
        return [moment - times[name] for name, moment in self.seen.items() if name in times]


def measure(options):
    with rig.daemon() as (port, receiver):
        ours = [Clock(b'"event":"location"') for _ in range(2)]
        theirs = [Clock(b'"class":"TPV"') for _ in range(2)]
        # The daemon serves its clients in order, so each kind of client is once the first and once the last.
        order = [(rig.watch, ours[0]), (rig.gpspipe, theirs[0]), (rig.gpspipe, theirs[1]), (rig.watch, ours[1])]
        clients = []
        for words, clock in order:
            clients.append(rig.Client(words(port), clock.line))
            time.sleep(0.3)
        time.sleep(options.epochs / 10)
        for client in clients:
            client.end()
        times = receiver.times
    # The first epoch of a session of ours waits for its other reports.
    ours, theirs = (sorted(1e3 * delay for clock in clocks for delay in clock.delays(times)[1:]) for clocks in (ours, theirs))
    for name, part, times in (("median", 0.5, 1.05), ("99th percentile", 0.99, 1.0)):
        yield at_most(times, f"epoch to line, {name}", "ms", at(ours, part), "gpspipe -w", at(theirs, part))


def at(values, part):
    if not values:
        raise SystemExit("bench: no epoch was printed")
    return values[min(len(values) - 1, int(len(values) * part))]
