"""Live sessions: the start, the processor time, the memory and the latency of clients that watch one gpsd."""
import re
import subprocess
import time

import programs
import rig
from lib.processes import await_port, free_port, megabytes, needs, require, running, seconds
from rows import at_most, below

TIME = re.compile(rb'"time":"[^"]*T([0-9:.]+Z)"')
# A line that a client prints before it has heard from the daemon does not count.
OWN = b'"event":"start"'


class Clock:
    """Measures the latency of each epoch by the first line with its position."""

    def __init__(self, mark):
        self.mark, self.seen = mark, {}

    def line(self, line, moment):
        if self.mark in line and b'"lat"' in line and (found := TIME.search(line)):
            self.seen.setdefault(found[1].decode(), moment)

    def delays(self, times):
        """Returns the milliseconds from the epochs, with the times at which they were complete, to their lines."""
        return [1e3 * (moment - times[name]) for name, moment in self.seen.items() if name in times]


def at(values, part):
    require(values, "bench: no epoch was printed")
    return sorted(values)[min(len(values) - 1, int(len(values) * part))]


def live(options):
    """Lets several clients watch one gpsd at ten epochs a second."""
    with rig.daemon() as (port, _):
        clients = {"ours": rig.Client(rig.watch(port)), "theirs": rig.Client(rig.gpspipe(port))}
        time.sleep(options.epochs / 10)
        memory, cpu = rig.end_all(clients)
    yield at_most(1.6, f"CPU of {options.epochs} epochs", "ms", cpu["ours"], "gpspipe -w", cpu["theirs"])
    yield below(8.5, f"memory after {options.epochs / 10:.0f} s", "MB", memory["ours"], "gpspipe -w", memory["theirs"])


def latency(options):
    """Measures from the last byte of an epoch on the pseudo terminal to its line on standard output."""
    with rig.daemon() as (port, receiver):
        # The daemon serves its clients in order, so each kind of client is once the first and once the last.
        order = [(words, Clock(mark)) for words, mark in (
            (rig.watch, b'"event":"location"'), (rig.gpspipe, b'"class":"TPV"'), (rig.gpspipe, b'"class":"TPV"'), (rig.watch, b'"event":"location"'))]
        clients = []
        for words, clock in order:
            clients.append(rig.Client(words(port), clock.line))
            time.sleep(0.3)
        time.sleep(options.epochs / 10)
        for client in clients:
            client.end()
    # The first epoch of a session of ours waits for its other reports.
    ours, theirs = ([delay for words, clock in order if words is kind for delay in clock.delays(receiver.times)[1:]]
                    for kind in (rig.watch, rig.gpspipe))
    for name, part, times in (("median", 0.5, 1.15), ("99th percentile", 0.99, 1.0)):
        yield at_most(times, f"epoch to line, {name}", "ms", at(ours, part), "gpspipe -w", at(theirs, part))


def first_line(words):
    """Returns the milliseconds from a start to the first line that comes from the daemon."""
    start = time.monotonic()
    with running(*words, stdout=subprocess.PIPE) as process, process.stdout:
        require(any(OWN not in line for line in process.stdout), "bench: nothing came from the daemon")
        return (time.monotonic() - start) * 1000


def start(options):
    """Measures a start that does nothing, and one to the first line."""
    def row(what, rounds, measured, goal, peer, *commands):
        columns = zip(*[[measured(words) for words in commands] for _ in range(rounds)])
        ours, theirs = (at(column, 0.5) for column in columns)
        return at_most(goal, f"{what}, median", "ms", ours, peer, theirs)

    yield row("start of version", 4 * options.starts, lambda words: 1000 * programs.run(words).wall, 1.1, "gpspipe -V",
              [programs.OURS, "version"], [needs("gpspipe"), "-V"])
    with rig.daemon() as (port, _):
        yield row("start to first line", options.starts, first_line, 1.25, "gpspipe -w", rig.watch(port), rig.gpspipe(port))


# Excludes the connection itself.
SETTLING = 4


def idle(options):
    """Waits for a silent receiver."""
    with rig.daemon(rate=0) as (port, _):
        clients = {"ours": rig.Client(rig.watch(port)), "theirs": rig.Client(rig.gpspipe(port))}
        time.sleep(SETTLING)
        used = rig.observed(clients, options.idle)
        rig.end_all(clients)
    ours, theirs = used["ours"], used["theirs"]
    yield below(5, f"CPU of {options.idle} s of silence", "ms", ours.cpu * options.idle, "gpspipe -w", theirs.cpu * options.idle)


# The clients of one gpsd, which takes 60 with the relay of the other measurement, and those of `locwatch serve`.
MOST_OF_GPSD, SERVED = 60, 1000


def serving(process, port, count, duration):
    """Returns the microseconds of a daemon for an epoch of a client, and its megabytes; each client must have got its share."""
    crowd = rig.Crowd(port, count, b'?WATCH={"enable":true,"json":true};\n')
    time.sleep(2)
    before, read = seconds(process), list(crowd.bytes)
    time.sleep(duration)
    used, memory = seconds(process) - before, megabytes(process)
    shares = [after - earlier for earlier, after in zip(read, crowd.bytes)]
    crowd.end()
    require(min(shares) >= 0.8 * max(shares), f"bench: a client of {count} got {min(shares)} bytes and another {max(shares)}")
    return used / (duration * 10 * count) * 1e6, memory


def many(options):
    """Lets as many clients as it takes watch one gpsd at ten epochs a second, and a thousand `locwatch serve`."""
    with rig.daemon() as (port, receiver):
        cost, memory = serving(receiver.daemon, port, MOST_OF_GPSD, options.crowd)
        own = free_port()
        with running(programs.OURS, "serve", "-q", "--port", own, f"localhost:{port}") as relay:
            await_port(own)
            time.sleep(1)
            ours, own_memory = serving(relay.pid, own, SERVED, options.crowd)
    peer = f"gpsd, {MOST_OF_GPSD}"
    yield at_most(1, f"CPU of serve for an epoch of each of {SERVED:,} clients", "µs", ours, peer, cost)
    yield below(30, f"memory of serve with {SERVED:,} clients", "MB", own_memory, peer, memory)
