"""`locwatch publish`: CPU time, memory, the time to the broker, and the speed with which a backlog drains."""
import os
import pathlib
import re
import socket
import subprocess
import tempfile
import time

import programs
import rig
import sessions
from lib import receivers
from lib.brokers import Mosquitto, http_acceptor
from lib.processes import await_port, megabytes, needs, running, started
from rows import Row, at_most, below

TOPIC = "locwatch/boat"
LIMITS = ["--queue-limit", "4GiB"]


def words(queue, source, *more):
    return [programs.OURS, "publish", "-q", "--queue", queue, *more, source]


def publish(options):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        yield from live(options, folder)
        yield from drain(options, folder)
    yield append(options)


def live(options, folder):
    """Follows one gpsd at ten epochs a second with `watch` and with each kind of target."""
    broker = Mosquitto()
    encrypted, authority = broker.add_encryption()
    with broker, http_acceptor() as acceptor, rig.daemon() as (port, receiver):
        printed, arrived = sessions.Clock(b'"event":"location"'), sessions.Clock(b'"lat"')
        reader = rig.Client([needs("mosquitto_sub"), "-p", broker.port, "-t", TOPIC], arrived.line)
        targets = {"MQTT": f"{broker.word}/{TOPIC}", "MQTT with TLS": f"mqtts://localhost:{encrypted}/{TOPIC}/tls?ca-file={authority}",
                   "HTTP": acceptor}
        clients = {"watch -j": rig.Client(rig.watch(port), printed.line)}
        clients |= {name: rig.Client(words(folder / name, f"localhost:{port}", target)) for name, target in targets.items()}
        time.sleep(options.epochs / 10)
        memory, cpu = rig.end_all(clients)
        reader.end()
    yield at_most(2, f"CPU of {options.epochs} epochs published", "ms", cpu["MQTT"], "watch -j", cpu["watch -j"])
    for name, limit in (("MQTT", 7.5), ("MQTT with TLS", 11), ("HTTP", 14)):
        yield below(limit, f"memory while publishing by {name}", "MB", memory[name], "watch -j", memory["watch -j"])
    line, message = (sessions.at(clock.delays(receiver.times), 0.5) for clock in (printed, arrived))
    yield below(1, "epoch to subscriber over epoch to line, median", "ms", message - line)


def size(folder):
    return sum(path.stat().st_size for path in folder.glob("queue.sqlite*"))


def fill(queue, recording):
    """Fills a queue while no broker accepts; returns the target, its port, and the memory of the program at the end."""
    # A port that is bound and does not listen refuses connections, and no other program gets it.
    with socket.socket() as holder, receivers.served(programs.OURS, "--pace", "max", source=recording, repeated=False) as port:
        holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        holder.bind(("127.0.0.1", 0))
        own = holder.getsockname()[1]
        target = f"mqtt://127.0.0.1:{own}/{TOPIC}"
        with running(*words(queue, f"localhost:{port}", *LIMITS, "--no-reconnect", target)) as filler:
            before = -1
            while (now := size(queue)) != before or now == 0:
                before = now
                time.sleep(1)
            return target, own, megabytes(filler.pid)


def drain(options, folder):
    """Fills a queue while the broker does not accept, and then sends it."""
    recording, short = receivers.drive(folder / "drive.json", options.backlog, 0.1), receivers.drive(folder / "short.json", 1)
    queue = folder / "backlog"
    target, port, filled = fill(queue, recording)
    with running(needs("mosquitto"), "-p", port):
        await_port(port)
        began = time.monotonic()
        process = started(words(queue, short, *LIMITS, "-j", target), stdout=subprocess.PIPE)
        # The maximum that the system counts includes that of Python before the program begins.
        most = 0
        while os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
            most = max(most, megabytes(process.pid))
            time.sleep(0.05)
        output = process.stdout.read().decode()
        process.wait()
        seconds = time.monotonic() - began
    sent = max((int(found) for found in re.findall(r'"sent":(\d+)', output)), default=0)
    speed = sent / seconds
    yield Row(f"drain of {sent} records", "1/s", speed, "", None, "≥ 20000 1/s", speed >= 20_000)
    yield below(14, "most memory in it", "MB", most)
    yield below(14, "memory with that many queued", "MB", filled)


def append(options):
    """Appends records to a queue."""
    def seconds():
        with tempfile.TemporaryDirectory() as folder:
            told = programs.told([programs.DEVELOPERS, "bench-append", str(options.backlog), os.path.join(folder, "queue")])
            return told["seconds"] / told["count"]

    return below(60, "append to the queue", "µs", 1e6 * min(seconds() for _ in range(options.rounds)))
