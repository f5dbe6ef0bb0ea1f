"""Builds the measured programs, generates the input, and runs programs while measuring their cost."""
import dataclasses
import json
import os
import pathlib
import time

from lib import ROOT
from lib.processes import require, started
from lib.processes import told as output_of

FOLDER = ROOT / ".build-release/bench"
OURS = ROOT / "dist/locwatch"
DEVELOPERS = ROOT / ".build-release/release/locwatch-dev"
SEED = 20261120
SATELLITES = 20


def build():
    """Builds the measured program as it is installed, the measuring tools, and the programs for comparison."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    output_of("make", "--silent", "dist/locwatch", cwd=ROOT)
    # With the flags of the installed program, so that nothing is built twice.
    output_of("swift", "build", "--product", "locwatch-dev", *output_of(ROOT / "Tools/build/release-flags").splitlines(), cwd=ROOT)
    output_of("cc", "-O2", "-Wall", "-o", FOLDER / "unpack", pathlib.Path(__file__).with_name("unpack.c"), "-lgps", "-lm")


def recording(megabytes):
    """Returns a recording of this size, generated once from the seed."""
    return recording_of(megabytes * 1_000_000)


def recording_of(size):
    """Returns a recording of a number of bytes, generated once from the seed."""
    path = FOLDER / f"mixed-{size}-{SATELLITES}.json"
    if not path.exists():
        with open(path, "wb") as file:
            maker = started([DEVELOPERS, "bench-input", size, SEED, SATELLITES], stdout=file, stderr=None)
        require(maker.wait() == 0, f"bench: {path} was not made: exit status {maker.returncode}")
    return path


@dataclasses.dataclass
class Cost:
    wall: float
    cpu: float
    megabytes: float


def reap(process):
    """Waits for a process and returns its cost: seconds of user and system time, and peak memory."""
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return Cost(0, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def run(words):
    """Runs a program, discards its output, and returns its cost."""
    start = time.monotonic()
    process = started(words)
    cost = reap(process)
    cost.wall = time.monotonic() - start
    require(process.returncode == 0, f"bench: {' '.join(map(str, words))} ended with {process.returncode}")
    return cost


def told(words):
    """Runs a program that prints its own cost as JSON."""
    return json.loads(output_of(*words))
