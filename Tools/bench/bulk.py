"""Whole commands on a large recording, compared with gps_unpack alone, in elapsed time and in CPU time of all cores."""
import subprocess

import programs
from table import Row, at_least

COMMANDS = [
    (8, "watch -j --pace max", ["watch", "-j", "--pace", "max"]),
    (8, "export csv", ["export", "csv"]),
    (8, "export gpx", ["export", "gpx"]),
    (8, "stats", ["stats"]),
]


def exists(words):
    """Returns whether the command works; if not, the table reports it as failed."""
    small = programs.recording(4)
    done = subprocess.run([programs.ours(), *words, small], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return done.returncode == 0


def measure(options):
    file = programs.recording(options.megabytes)
    megabytes = file.stat().st_size / 1e6
    for times, name, words in COMMANDS:
        if not exists(words):
            yield Row(f"{name}: fails", "MB/s", None, "gps_unpack", None, f"≥ {times} ×", False)
            continue
        runs = [(programs.run([programs.ours(), *words, file]), programs.run([programs.peer("unpack"), file]))
                for _ in range(options.rounds)]
        wall, unpack = (megabytes / min(run.wall for run in column) for column in zip(*runs))
        yield at_least(times, name, "MB/s", wall, "gps_unpack", unpack)
        cpu, unpack = (megabytes / min(run.cpu for run in column) for column in zip(*runs))
        yield Row(f"{name}, per CPU second", "MB", cpu, "gps_unpack", unpack)
