"""A live session at ten epochs a second: CPU time and memory of clients that watch one gpsd together."""
import time

import programs
import rig
from lib.processes import needs
from table import Row, at_most, below

PYTHON = """
import gps
session = gps.gps(host="localhost", port=%d, mode=gps.WATCH_ENABLE)
for report in session:
    if report["class"] == "TPV" and hasattr(report, "lat"):
        print(report.lat, report.lon, flush=True)
"""


def measure(options):
    seconds = options.epochs / 10
    with rig.daemon() as (port, _):
        words = {
            "locwatch": rig.watch(port),
            "gpspipe -w": rig.gpspipe(port),
            "libgps loop": [programs.peer("loop"), str(port)],
            "smallest Swift program": [programs.peer("floor"), str(port)],
            # Debian's package python3-gps belongs to Debian's Python.
            "python gps": ["/usr/bin/python3", "-c", PYTHON % port],
        }
        clients = {name: rig.Client(each) for name, each in words.items()}
        clients["cgps"] = rig.Client([needs("cgps"), f"localhost:{port}"], is_terminal=True)
        time.sleep(seconds)
        memory = {name: client.memory for name, client in clients.items()}
        cpu = {name: client.end().cpu * 1000 for name, client in clients.items()}
    what = f"CPU of {options.epochs} epochs"
    yield at_most(1.25, what, "ms", cpu.pop("locwatch"), "gpspipe -w", cpu["gpspipe -w"])
    yield from others(what, "ms", cpu)
    what = f"memory after {seconds:.0f} s"
    yield below(6.2, what, "MB", memory.pop("locwatch"), "gpspipe -w", memory["gpspipe -w"])
    yield from others(what, "MB", memory)


def others(what, unit, values):
    for name, value in values.items():
        if name != "gpspipe -w":
            yield Row(f"{what}: others", unit, None, name, value)
