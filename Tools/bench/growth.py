"""The growth of cost with the size of the file, the satellites of a report, and the length of an invalid line."""
import programs
from table import at_least, at_most

COMMAND = ["watch", "-j", "--pace", "max"]


def garbage(megabytes):
    """Returns a file of lines of 64 KiB that are not reports."""
    path = programs.FOLDER / f"garbage-{megabytes}.json"
    if not path.exists():
        line = b'{"class":"TPV","x":' + b"[" * 65_500 + b"\n"
        with open(path, "wb") as file:
            for _ in range(megabytes * 1_000_000 // len(line)):
                file.write(line)
    return path


def measure(options):
    large = options.megabytes
    files = [programs.recording(max(4, large // 10)), programs.recording(large)]
    sizes = [file.stat().st_size for file in files]
    costs = []
    for file in files:
        runs = [programs.run([programs.ours(), *COMMAND, file]) for _ in range(options.rounds)]
        costs.append((min(run.cpu for run in runs), max(run.megabytes for run in runs)))
    (time, memory), (more_time, more_memory) = costs
    growth = sizes[1] / sizes[0]
    yield at_most(1.05, f"time of {growth:.0f} × the file", "s", more_time, f"{growth:.0f} × the small file's", growth * time)
    yield at_most(1.1, f"memory of {growth:.0f} × the file", "MB", more_memory, "the small file's", memory)

    def speed(file):
        seconds = min(programs.told([programs.bench(), "bench-decode", "reports", file])["seconds"]
                      for _ in range(options.rounds))
        return file.stat().st_size / 1e6 / seconds

    usual = speed(files[0])
    yield at_least(0.9, "SKY with 140 satellites", "MB/s", speed(programs.recording(20, satellites=140)),
                   "with 20", usual)
    yield at_least(0.9, "lines of 64 KiB of garbage", "MB/s", speed(garbage(20)), "good lines", usual)
