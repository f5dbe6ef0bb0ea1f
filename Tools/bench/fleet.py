"""The full-screen monitor of a fleet behind mosquitto: CPU time and frames while every device reports once a second."""
import os
import pathlib
import subprocess
import tempfile
import time

import programs
import rig
from publish import Broker
from table import Row, below


def measure(options):
    with tempfile.TemporaryDirectory() as name:
        broker = Broker(pathlib.Path(name))
        try:
            yield from monitored(options, broker)
        finally:
            broker.end()


def monitored(options, broker):
    word = f"mqtt://127.0.0.1:{broker.port}"
    monitor = rig.Client([programs.ours(), "monitor", f"{word}/owntracks/fleet/+"], is_terminal=True, size=(24, 80))
    load = subprocess.Popen(
        [programs.bench(), "fleet", "--devices", str(options.fleet), "--rate", "1", "--qos", "0", "--no-retain",
         "--consumers", "0", "--seconds", str(options.monitor + 8), word],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    load.stderr.readline()  # All devices are connected.
    time.sleep(4)
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
    load.wait()
    if not is_complete:
        raise SystemExit(f"bench: the screen does not list {options.fleet} devices")
    yield below(60, f"CPU of the monitor with {options.fleet:,} devices", "%", cpu)
    yield below(10.5, "frames of them", "1/s", frames)
    yield Row("memory of them", "MB", memory, "", None)
    yield Row("traffic of them", "B/s", sent, "", None)
