"""The monitor beside cgps, the web page's server beside `watch -j`, and both with a fleet behind mosquitto."""
import os
import random
import time

import programs
import rig
from lib import positions
from lib.brokers import Mosquitto
from lib.processes import await_port, free_port, needs, require
from rows import at_most, below


def monitor(options):
    """Shows the monitor beside cgps at one epoch a second."""
    with rig.daemon(rate=1) as (port, _):
        source = f"localhost:{port}"
        words = {"monitor": [programs.OURS, "monitor", source], "watch --sky": [programs.OURS, "watch", "--sky", source],
                 "cgps": [needs("cgps"), "-s", source]}
        clients = {name: rig.Client(each, is_terminal=True) for name, each in words.items()}
        time.sleep(3)
        used = rig.observed(clients, options.monitor)
        rig.end_all(clients)
    ours, cgps, watch = used["monitor"], used["cgps"], used["watch --sky"]
    yield at_most(0.75, "CPU of the monitor at 1 Hz", "ms/s", ours.cpu, "cgps", cgps.cpu)
    yield at_most(1.25, "CPU of the monitor at 1 Hz", "ms/s", ours.cpu, "watch --sky", watch.cpu)
    yield below(7.5, "memory of the monitor", "MB", ours.memory, "cgps", cgps.memory)
    yield at_most(1, "traffic of the monitor at 1 Hz", "B/s", ours.bytes, "cgps", cgps.bytes)
    yield below(2000, "traffic of the monitor at 1 Hz", "B/s", ours.bytes)


def readers(port, count):
    """Returns readers of the events of the page."""
    return rig.Crowd(port, count, b"GET /events HTTP/1.0\r\nHost: localhost\r\n\r\n")


def web(options):
    """Serves the page to 0, 1 and 40 readers beside `watch -j`."""
    with rig.daemon(rate=1) as (daemon, _):
        port, source = free_port(), f"localhost:{daemon}"
        clients = {"web": rig.Client([programs.OURS, "web", "-q", "--port", port, source]),
                   "watch": rig.Client([programs.OURS, "watch", "-j", "--sky", "--all-devices", source])}
        await_port(port)
        time.sleep(3)
        used = {}
        for count in (0, 1, 40):
            crowd = readers(port, count)
            time.sleep(2)
            used[count] = rig.observed(clients, options.monitor)
            crowd.end()
        rig.end_all(clients)
    none, one, forty = (used[count]["web"] for count in (0, 1, 40))
    yield at_most(1.75, "CPU of web, 1 reader, at 1 Hz", "ms/s", one.cpu, "watch -j", used[1]["watch"].cpu)
    yield at_most(1.75, "CPU of web, no reader, at 1 Hz", "ms/s", none.cpu, "watch -j", used[0]["watch"].cpu)
    yield at_most(4, "CPU of web, 40 readers, at 1 Hz", "ms/s", forty.cpu, "1 reader", one.cpu)
    for limit, name, use in ((10, "no reader", none), (10, "1 reader", one), (12, "40 readers", forty)):
        yield below(limit, f"memory of web, {name}", "MB", use.memory, "watch -j", used[40]["watch"].memory)


def fleet(options):
    """Follows a fleet with the monitor, and measures the CPU time of each consumer for a position in fleets of two sizes."""
    with Mosquitto() as broker:
        yield from monitored(options, broker)
        # It takes minutes, too long for a quick run.
        if options.window:
            yield from consumed(options, broker)


def monitored(options, broker):
    client = rig.Client([programs.OURS, "monitor", f"{broker.word}/owntracks/fleet/+"], is_terminal=True)
    with positions.sent(broker.port, options.fleet):
        time.sleep(positions.warm_up(1) + 1)
        used = rig.observed({"": client}, options.monitor)[""]
        # Ctrl-L draws the whole screen, so that the title is in one piece.
        os.write(client.reader, b"\f")
        time.sleep(1)
        is_complete = f"{options.fleet} devices".encode() in client.output
        client.end()
    require(is_complete, f"bench: the screen does not list {options.fleet} devices")
    yield below(60, f"CPU of the monitor with {options.fleet:,} devices", "%", used.cpu / 10)
    yield below(10.5, "frames of them", "1/s", used.pieces)


def consumers():
    """Returns the arguments of each consumer, and the goal of its cost as a multiple of that of `watch -j`."""
    source, watch = random.Random(2), ["watch", "-j"]
    fences = [f"--fence=f{number}={','.join(f'{angle:.5f}' for angle in positions.place(source))},{300 + 50 * number}"
              for number in range(20)]
    return {"one fence": ([*watch, fences[0]], 1.2), "20 fences": ([*watch, *fences], 1.6),
            "web": (["web", "-q", "--port", str(free_port())], 1.5), "monitor": (["monitor"], 1.4)}


# The larger fleet has this many times the devices, and each sends that much less often.
GROWTH = 4


def consumed(options, broker):
    # Each consumer beside `watch -j`, so that a disturbance concerns both.
    for name, (words, goal) in consumers().items():
        found = costs({"watch -j": ["watch", "-j"], name: words}, options.fleet, 1, options.window, broker)
        yield at_most(goal, f"CPU for a position of {options.fleet:,} devices, {name}", "µs", found[name], "watch -j", found["watch -j"])
    # The same number of positions comes from the larger fleet.
    many = costs({"watch -j": ["watch", "-j"]}, GROWTH * options.fleet, GROWTH, options.window, broker)
    yield at_most(1.1, f"CPU for a position of {GROWTH * options.fleet:,} devices, watch -j", "µs", many["watch -j"],
                  f"{options.fleet:,} devices", found["watch -j"])


def costs(words, devices, interval, seconds, broker):
    """Returns the CPU time in microseconds that each consumer takes for a position, while all of them run."""
    clients, crowds = {}, []
    for name, arguments in words.items():
        # No device is lost when its positions become rarer after the warm-up.
        command = [programs.OURS, *arguments, "--stale", "1h", f"{broker.word}/owntracks/fleet/+"]
        clients[name] = rig.Client(command, is_terminal=name == "monitor")
        if "--port" in command:
            port = int(command[command.index("--port") + 1])
            await_port(port)
            crowds.append(readers(port, 1))
    time.sleep(1)
    with positions.sent(broker.port, devices, interval):
        time.sleep(positions.warm_up(interval) + interval + 1)
        used = rig.observed(clients, seconds)
    for crowd in crowds:
        crowd.end()
    rig.end_all(clients)
    return {name: use.cpu * 1e3 * positions.SIZE / use.read for name, use in used.items()}
