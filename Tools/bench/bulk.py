"""Whole commands on a large recording, compared with gps_unpack alone, in elapsed time and in CPU time of all cores."""
import programs
from table import Row, at_least

COMMANDS = ["watch -j --pace max", "export csv", "export gpx", "stats"]


def measure(options):
    file = programs.recording(options.megabytes)
    megabytes = file.stat().st_size / 1e6
    for name in COMMANDS:
        runs = [(programs.run([programs.ours(), *name.split(), file]), programs.run([programs.peer("unpack"), file]))
                for _ in range(options.rounds)]
        wall, unpack = (megabytes / min(run.wall for run in column) for column in zip(*runs))
        yield at_least(8, name, "MB/s", wall, "gps_unpack", unpack)
        cpu, unpack = (megabytes / min(run.cpu for run in column) for column in zip(*runs))
        yield Row(f"{name}, per CPU second", "MB", cpu, "gps_unpack", unpack)
