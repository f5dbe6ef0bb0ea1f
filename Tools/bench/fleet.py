"""A fleet behind mosquitto: the monitor at 1 Hz, and the CPU time of each consumer for a position in fleets of two sizes."""
import os
import pathlib
import random
import tempfile
import time

import programs
import rig
import web
from lib import positions
from lib.brokers import Mosquitto
from lib.processes import await_port, free_port, require
from table import Row, at_most, below

# The larger fleet has this many times the devices, and each sends that much less often.
GROWTH = 4


def measure(options):
    with tempfile.TemporaryDirectory() as folder, Mosquitto() as broker:
        yield from monitored(options, broker)
        # Each turn takes three minutes, too long for a quick run.
        if options.turns:
            yield from consumed(options, broker, pathlib.Path(folder))


def monitored(options, broker):
    monitor = rig.Client([programs.ours(), "monitor", f"{broker.word}/owntracks/fleet/+"], is_terminal=True, size=(24, 80))
    load = positions.start(broker.port, options.fleet, 1)
    time.sleep(positions.warm_up(1) + 1)
    began, cpu, pieces, sent = time.monotonic(), monitor.activity[0], monitor.pieces, monitor.bytes
    time.sleep(options.monitor)
    passed = time.monotonic() - began
    cpu = (monitor.activity[0] - cpu) / passed * 100
    frames, sent = (monitor.pieces - pieces) / passed, (monitor.bytes - sent) / passed
    memory = monitor.memory
    # Ctrl-L draws the whole screen, so that the title is in one piece.
    os.write(monitor.reader, b"\f")
    time.sleep(1)
    is_complete = f"{options.fleet} devices".encode() in monitor.output
    monitor.end()
    load.kill()
    require(is_complete, f"bench: the screen does not list {options.fleet} devices")
    yield below(60, f"CPU of the monitor with {options.fleet:,} devices", "%", cpu)
    yield below(10.5, "frames of them", "1/s", frames)
    yield Row("memory of them", "MB", memory, "", None)
    yield Row("traffic of them", "B/s", sent, "", None)


def consumers(folder):
    """Returns the arguments of each consumer."""
    source, watch, web = random.Random(2), ["watch", "-j"], ["web", "-q", "--port"]
    fences = [f"--fence=f{number}={','.join(f'{angle:.5f}' for angle in positions.place(source))},{300 + 50 * number}"
              for number in range(20)]
    return {
        "watch -j": watch,
        "one fence": [*watch, fences[0]],
        "20 fences": [*watch, *fences],
        # One hook runs at a time, so that its processes cost nothing here.
        "--on every": [*watch, "--on", "every=sleep 1"],
        "metrics file": [*watch, "--metrics-file", folder / "metrics.prom"],
        "web": [*web, str(free_port())],
        "web, 20 fences": [*web, str(free_port()), *fences],
        "monitor": ["monitor"],
    }


# The consumers that run side by side, so that a disturbance concerns all of them; two cores are enough for three.
GROUPS = [["watch -j", "one fence", "20 fences"], ["watch -j", "--on every", "metrics file"],
          ["watch -j", "web", "web, 20 fences"], ["watch -j", "monitor"]]
# What a consumer is compared with, and the goal.
GOALS = {"one fence": ("watch -j", 1.2), "20 fences": ("watch -j", 1.6), "web, 20 fences": ("web", 1.6)}


def consumed(options, broker, folder):
    # The same number of positions comes from both fleets.
    sizes = [(options.fleet, 1), (GROWTH * options.fleet, GROWTH)]
    few, many = (f"{devices:,} devices" for devices, _ in sizes)
    for group in GROUPS:
        turns = [[costs(group, *size, options.window, broker, folder) for size in sizes] for _ in range(options.turns)]
        # Load only slows a run down.
        best = min((small for small, _ in turns), key=lambda found: found[group[0]])
        for name in group:
            peer, goal = GOALS.get(name, (group[0], None))
            row = f"CPU for a position of {few}, {name}", "µs", best[name], peer, best[peer]
            if goal:
                yield at_most(goal, *row)
            elif name != group[0]:
                yield Row(*row)
            if name != group[0] or group == GROUPS[0]:
                yield at_most(1.1, f"CPU for a position of {many}, {name}", "µs", min(large[name] for _, large in turns),
                              few, min(small[name] for small, _ in turns))


def costs(names, devices, interval, seconds, broker, folder):
    """Returns the CPU time in microseconds that each consumer takes for a position, while all of them run."""
    words, clients, readers = consumers(folder), {}, []
    for name in names:
        # No device is lost when its positions become rarer after the warm-up.
        command = [programs.ours(), *words[name], "--stale", "1h", f"{broker.word}/owntracks/fleet/+"]
        clients[name] = rig.Client(command, is_terminal=name == "monitor", size=(24, 80))
        if "--port" in command:
            port = int(command[command.index("--port") + 1])
            await_port(port)
            readers.append(web.Readers(port, 1))
    time.sleep(1)
    load = positions.start(broker.port, devices, interval)
    time.sleep(positions.warm_up(interval) + interval + 1)
    before = {name: used(client.process.pid) for name, client in clients.items()}
    time.sleep(seconds)
    after = {name: used(client.process.pid) for name, client in clients.items()}
    load.kill()
    load.join()
    for reader in readers:
        reader.end()
    for client in clients.values():
        client.end()
    return {name: (after[name][0] - before[name][0]) * 1e6 * positions.SIZE / (after[name][1] - before[name][1])
            for name in names}


def used(pid):
    """Returns the CPU seconds of a process with its ended threads, and the bytes that it has read from the broker."""
    with open(f"/proc/{pid}/io") as file:
        # libmosquitto reads with read(2), and libmicrohttpd does not.
        read = int(file.readline().split()[1])
    # The identifier of a process's clock, as clock_getcpuclockid(3) returns it.
    return time.clock_gettime(~pid << 3 | 2), read
