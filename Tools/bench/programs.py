"""Builds the measured programs, generates the input, and runs programs while measuring their cost."""
import dataclasses
import json
import os
import pathlib
import shutil
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / ".build-release" / "bench"
SEED = 20261120


def build():
    """Builds the measured program as it is installed, the measuring tools, and the programs for comparison."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    subprocess.run(["make", "--silent", "dist/locwatch"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    # With the flags of the installed program, so that nothing is built twice.
    flags = subprocess.run([ROOT / "Tools/build/release-flags"], check=True, capture_output=True, text=True).stdout.splitlines()
    subprocess.run(["swift", "build", "--product", "locwatch-dev", *flags], cwd=ROOT, check=True,
                   stdout=subprocess.DEVNULL)
    for name in ("unpack", "loop"):
        source = pathlib.Path(__file__).with_name(f"{name}.c")
        subprocess.run(["cc", "-O2", "-Wall", "-o", FOLDER / name, source, "-lgps", "-lm"], check=True)
    source = pathlib.Path(__file__).with_name("simdjson.cpp")
    subprocess.run(["c++", "-std=c++17", "-O2", "-Wall", "-o", FOLDER / "simdjson", source, "-lsimdjson"], check=True)
    source = pathlib.Path(__file__).with_name("floor.swift")
    smallest = ["--gc-sections", "--no-export-dynamic", "--strip-all"]
    subprocess.run(["swiftc", "-O", "-static-stdlib", "-use-ld=lld", *(word for flag in smallest for word in ("-Xlinker", flag)),
                    "-o", FOLDER / "floor", source], check=True)


def ours():
    return str(ROOT / "dist" / "locwatch")


def bench():
    return str(ROOT / ".build-release" / "release" / "locwatch-dev")


def peer(name):
    return str(FOLDER / name)


def needs(name):
    """Returns the path of a required program."""
    path = shutil.which(name) or shutil.which(name, path="/usr/sbin:/sbin")
    if path is None:
        raise SystemExit(f"bench: {name} is missing: run 'make dependencies'")
    return path


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
    return json.loads(subprocess.run([str(word) for word in words], check=True, capture_output=True).stdout)


def in_turn(rounds, *measures):
    """Measures alternately and returns the best result of each, because load only slows a run down."""
    results = [[measure() for measure in measures] for _ in range(rounds)]
    return [min(column) for column in zip(*results)]
