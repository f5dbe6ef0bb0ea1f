"""Fifty clients of one gpsd at ten epochs a second, and the cost of serving a thousand."""
import contextlib
import os
import resource
import selectors
import socket
import subprocess
import threading
import time

import loopback
import programs
import rig
from table import at_most, below

COUNT = 50
# The most clients that gpsd takes, one of which is the relay of the other measurement.
MOST_OF_GPSD = 60
SERVED = 1000


class Crowd:
    """Clients that watch a daemon and discard what they read, on one thread."""

    def __init__(self, port, count):
        self.bytes = [0] * count
        limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
        self.is_over = threading.Event()
        self.selector = selectors.DefaultSelector()
        for index in range(count):
            client = socket.create_connection(("127.0.0.1", port), timeout=30)
            client.sendall(b'?WATCH={"enable":true,"json":true};\n')
            self.selector.register(client, selectors.EVENT_READ, index)
        self.thread = threading.Thread(target=self.read, daemon=True)
        self.thread.start()

    def read(self):
        while not self.is_over.is_set():
            for key, _ in self.selector.select(0.2):
                self.bytes[key.data] += len(key.fileobj.recv(1 << 16))

    def end(self):
        self.is_over.set()
        self.thread.join()
        for key in list(self.selector.get_map().values()):
            key.fileobj.close()


def seconds(process):
    """Returns the processor time that a process has used."""
    with open(f"/proc/{process}/stat", encoding="ascii", errors="replace") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident(process):
    with open(f"/proc/{process}/status", encoding="ascii", errors="replace") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS:")) / 1024


def serving(process, port, count, duration):
    """Returns the microseconds of a daemon for an epoch of a client, and its megabytes; each client must have got its share."""
    crowd = Crowd(port, count)
    time.sleep(2)
    before, read = seconds(process), list(crowd.bytes)
    time.sleep(duration)
    used, memory = seconds(process) - before, resident(process)
    shares = [after - earlier for earlier, after in zip(read, crowd.bytes)]
    crowd.end()
    if min(shares) < 0.8 * max(shares):
        raise SystemExit(f"bench: a client of {count} got {min(shares)} bytes and another {max(shares)}")
    return used / (duration * 10 * count) * 1e6, memory


@contextlib.contextmanager
def relay(port):
    """Serves a gpsd by our program, and yields its process and its port."""
    own = loopback.free_port()
    process = subprocess.Popen([programs.ours(), "serve", "-q", "--port", str(own), f"localhost:{port}"],
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        rig.await_banner(own)
        time.sleep(1)
        yield process.pid, own
    finally:
        process.terminate()
        process.wait()


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
        with relay(port) as (process, own):
            ours, own_memory = serving(process, own, SERVED, options.crowd)
    peer = f"gpsd, {MOST_OF_GPSD}"
    yield at_most(1, f"CPU of serve for an epoch of each of {SERVED:,} clients", "µs", ours, peer, cost)
    yield below(30, f"memory of serve with {SERVED:,} clients", "MB", own_memory, peer, memory)
