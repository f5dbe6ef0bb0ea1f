"""The full-screen monitor beside cgps: CPU time, memory and traffic at one epoch a second, and frames at twenty."""
import os
import statistics
import time

import programs
import rig
from lib.processes import needs
from table import Row, at_most, below


def words(port):
    return {
        "monitor": [programs.ours(), "monitor", f"localhost:{port}"],
        "watch --sky": [programs.ours(), "watch", "--sky", f"localhost:{port}"],
        "cgps": [needs("cgps"), "-s", f"localhost:{port}"],
    }


def screen(command):
    return rig.Client(command, is_terminal=True, size=(24, 80))


def measure(options):
    yield from steady(options.monitor)
    yield from fast(min(options.monitor, 10))


def steady(seconds):
    with rig.daemon(rate=1) as (port, _):
        yield first_frame(port, 5 if seconds > 10 else 2)
        clients = {name: screen(each) for name, each in words(port).items()}
        time.sleep(3)
        cpu = {name: client.activity[0] for name, client in clients.items()}
        sent = {name: client.bytes for name, client in clients.items()}
        time.sleep(seconds)
        cpu = {name: (client.activity[0] - cpu[name]) * 1000 / seconds for name, client in clients.items()}
        sent = {name: (client.bytes - sent[name]) / seconds for name, client in clients.items()}
        memory = {name: client.memory for name, client in clients.items()}
        os.write(clients["monitor"].reader, b" ")
        time.sleep(1)
        frozen = clients["monitor"].bytes
        time.sleep(3)
        frozen = clients["monitor"].bytes - frozen
        for client in clients.values():
            client.end()
    yield at_most(0.75, "CPU of the monitor at 1 Hz", "ms/s", cpu["monitor"], "cgps", cpu["cgps"])
    yield at_most(1.25, "CPU of the monitor at 1 Hz", "ms/s", cpu["monitor"], "watch --sky", cpu["watch --sky"])
    yield below(7.5, "memory of the monitor", "MB", memory["monitor"], "cgps", memory["cgps"])
    yield at_most(1, "traffic of the monitor at 1 Hz", "B/s", sent["monitor"], "cgps", sent["cgps"])
    yield below(2000, "traffic of the monitor at 1 Hz", "B/s", sent["monitor"])
    yield Row("traffic of a frozen screen", "B", frozen, "", None, "0 B", frozen == 0)


def first_frame(port, count):
    """Returns how much later the first position is on the screen than in the output of `watch -j`."""
    def start(command, wanted, is_terminal):
        client = rig.Client(command, is_terminal=is_terminal, size=(24, 80), wanted=wanted)
        client.found.wait(10)
        client.end()
        return client.delay

    ours = words(port)["monitor"]
    screens = [start(ours, b"45.", True) for _ in range(count)]
    lines = [start(rig.watch(port), b'"lat":', False) for _ in range(count)]
    # Both wait for the next epoch, which comes at the same time only on average, so the least delays are compared.
    late = max(0.0, (min(screens) - min(lines)) * 1000)
    return below(20, "first frame after the first report", "ms", late)


def fast(seconds):
    with rig.daemon(rate=20) as (port, _):
        client = screen(words(port)["monitor"])
        time.sleep(2)
        # A frame is written in one piece.
        before, cpu = client.pieces, client.activity[0]
        time.sleep(seconds)
        frames = (client.pieces - before) / seconds
        cpu = (client.activity[0] - cpu) * 1000 / seconds
        # Keys are answered while much arrives.
        delays = []
        for _ in range(10):
            mark, began = client.bytes, time.monotonic()
            os.write(client.reader, b"?")
            while client.bytes == mark and time.monotonic() < began + 2:
                time.sleep(0.001)
            delays.append((time.monotonic() - began) * 1000)
            time.sleep(0.05)
        client.end()
    yield below(10.5, "frames at 20 Hz", "1/s", frames)
    yield Row("CPU of the monitor at 20 Hz", "ms/s", cpu, "", None)
    yield below(150, "answer to a key at 20 Hz", "ms", statistics.median(delays))
