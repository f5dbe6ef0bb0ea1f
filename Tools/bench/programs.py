"""Builds the measured programs, generates the input, and runs programs while measuring their cost."""
import dataclasses
import json
import os
import pathlib
import subprocess
import time

from lib import ROOT
from lib.processes import told as output_of

FOLDER = ROOT / ".build-release" / "bench"
SEED = 20261120


def build():
    """Builds the measured program as it is installed, the measuring tools, and the programs for comparison."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    output_of("make", "--silent", "dist/locwatch", cwd=ROOT)
    # With the flags of the installed program, so that nothing is built twice.
    output_of("swift", "build", "--product", "locwatch-dev", *output_of(ROOT / "Tools/build/release-flags").splitlines(), cwd=ROOT)
    smallest = [word for flag in ("--gc-sections", "--no-export-dynamic", "--strip-all") for word in ("-Xlinker", flag)]
    for source, *words in (
            ("unpack.c", "cc", "-O2", "-Wall", "-lgps", "-lm"), ("loop.c", "cc", "-O2", "-Wall", "-lgps", "-lm"),
            ("floor.swift", "swiftc", "-O", "-static-stdlib", "-use-ld=lld", *smallest)):
        source = pathlib.Path(__file__).with_name(source)
        # A library comes after the code that uses it.
        output_of(words[0], "-o", FOLDER / source.stem, source, *words[1:])


def ours():
    return str(ROOT / "dist" / "locwatch")


def bench():
    return str(ROOT / ".build-release" / "release" / "locwatch-dev")


def peer(name):
    return str(FOLDER / name)


def recording(megabytes, satellites=20):
    """Returns a recording of this size, generated once from the seed."""
    path = FOLDER / f"mixed-{megabytes}-{satellites}.json"
    if not path.exists():
        with open(path, "wb") as file:
            subprocess.run([bench(), "bench-input", str(megabytes * 1_000_000), str(SEED), str(satellites)], check=True,
                           stdout=file)
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


def run(words, stdin=None):
    """Runs a program, discards its output, and returns its cost."""
    start = time.monotonic()
    with open(stdin or os.devnull, "rb") as source:
        process = subprocess.Popen([str(word) for word in words], stdin=source, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        cost = reap(process)
    cost.wall = time.monotonic() - start
    if process.returncode != 0:
        raise SystemExit(f"bench: {' '.join(map(str, words))} ended with {process.returncode}")
    return cost


def told(words):
    """Runs a program that prints its own cost as JSON."""
    return json.loads(output_of(*words))


def in_turn(rounds, *measures):
    """Measures alternately and returns the best result of each, because load only slows a run down."""
    results = [[measure() for measure in measures] for _ in range(rounds)]
    return [min(column) for column in zip(*results)]
