"""Fifty clients of one gpsd at ten epochs a second, and the cost of serving a thousand."""
import time

import programs
import rig
from lib.processes import free_port, megabytes, running, seconds
from table import at_most, below

COUNT = 50
# The most clients that gpsd takes, one of which is the relay of the other measurement.
MOST_OF_GPSD = 60
SERVED = 1000


def serving(process, port, count, duration):
    """Returns the microseconds of a daemon for an epoch of a client, and its megabytes; each client must have got its share."""
    crowd = rig.Crowd(port, count, b'?WATCH={"enable":true,"json":true};\n')
    time.sleep(2)
    before, read = seconds(process), list(crowd.bytes)
    time.sleep(duration)
    used, memory = seconds(process) - before, megabytes(process)
    shares = [after - earlier for earlier, after in zip(read, crowd.bytes)]
    crowd.end()
    if min(shares) < 0.8 * max(shares):
        raise SystemExit(f"bench: a client of {count} got {min(shares)} bytes and another {max(shares)}")
    return used / (duration * 10 * count) * 1e6, memory


def measure(options):
    costs = []
    for words in (rig.watch, rig.gpspipe):
        with rig.daemon() as (port, _):
            clients = [rig.Client(words(port)) for _ in range(COUNT)]
            time.sleep(options.crowd)
            costs.append(sum(client.end().cpu for client in clients) * 1000)
    yield at_most(1.25, f"CPU of {COUNT} clients in {options.crowd} s", "ms", costs[0], f"{COUNT} gpspipe -w", costs[1])
    with rig.daemon() as (port, receiver):
        cost, memory = serving(receiver.daemon, port, MOST_OF_GPSD, options.crowd)
        own = free_port()
        with running(programs.ours(), "serve", "-q", "--port", own, f"localhost:{port}") as relay:
            rig.await_banner(own)
            time.sleep(1)
            ours, own_memory = serving(relay.pid, own, SERVED, options.crowd)
    peer = f"gpsd, {MOST_OF_GPSD}"
    yield at_most(1, f"CPU of serve for an epoch of each of {SERVED:,} clients", "µs", ours, peer, cost)
    yield below(30, f"memory of serve with {SERVED:,} clients", "MB", own_memory, peer, memory)
