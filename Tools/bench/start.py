"""The time from the start of the program to the first line that comes from a running gpsd."""
import subprocess
import time

import rig
from table import Row

# A line that a client prints before it has heard from the daemon does not count.
OWN = b'"event":"start"'


def first_line(words):
    start = time.monotonic()
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    for line in process.stdout:
        if OWN not in line:
            break
    elapsed = time.monotonic() - start
    process.terminate()
    process.stdout.close()
    process.wait()
    return elapsed * 1000


def measure(options):
    with rig.daemon() as (port, _):
        pairs = [(first_line(rig.watch(port)), first_line(rig.gpspipe(port))) for _ in range(options.starts)]
    ours, theirs = (sorted(column)[len(pairs) // 2] for column in zip(*pairs))
    yield Row("start to first line, median", "ms", ours, "gpspipe -w", theirs, "≤ + 6 ms", ours <= theirs + 6)
