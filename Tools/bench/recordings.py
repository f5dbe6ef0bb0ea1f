"""Large recordings: decoding alone, whole commands, and the growth of the cost with the size of the input."""
import programs
from rows import Row, at_least, at_most

COMMANDS = ["watch -j --pace max", "export csv", "export gpx", "stats"]


def size(file):
    return file.stat().st_size / 1e6


def decode(options):
    """Decodes gpsd's JSON to typed reports on one core."""
    file = programs.recording(options.megabytes)
    parts = [*([programs.DEVELOPERS, "bench-decode", what, file] for what in ("reports", "events")), [programs.FOLDER / "unpack", file]]
    runs = [[programs.told(words)["seconds"] for words in parts] for _ in range(options.rounds)]
    decoder, events, unpack = (size(file) / min(column) for column in zip(*runs))
    yield at_least(7, "decode to reports", "MB/s", decoder, "gps_unpack", unpack)
    yield Row("reports to events", "MB/s", events, "gps_unpack", unpack)


def bulk(options):
    """Runs whole commands, compared with gps_unpack alone, in elapsed time and in CPU time of all cores."""
    file = programs.recording(options.megabytes)
    for name in COMMANDS:
        runs = [(programs.run([programs.OURS, *name.split(), file]), programs.run([programs.FOLDER / "unpack", file]))
                for _ in range(options.rounds)]
        wall, unpack = (size(file) / min(run.wall for run in column) for column in zip(*runs))
        yield at_least(4, name, "MB/s", wall, "gps_unpack", unpack)
        cpu, unpack = (size(file) / min(run.cpu for run in column) for column in zip(*runs))
        yield Row(f"{name}, per CPU second", "MB", cpu, "gps_unpack", unpack)


def growth(options):
    """Compares files of two sizes."""
    files = [programs.recording(max(4, options.megabytes // 10)), programs.recording(options.megabytes)]
    runs = [[programs.run([programs.OURS, *COMMANDS[0].split(), file]) for _ in range(options.rounds)] for file in files]
    (time, memory), (more_time, more_memory) = ((min(run.cpu for run in row), max(run.megabytes for run in row)) for row in runs)
    times = size(files[1]) / size(files[0])
    yield at_most(1.05, f"time of {times:.0f} × the file", "s", more_time, f"{times:.0f} × the small file's", times * time)
    yield at_most(1.1, f"memory of {times:.0f} × the file", "MB", more_memory, "the small file's", memory)
