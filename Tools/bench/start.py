"""The time of a start that does nothing, and from a start to the first line that comes from a running gpsd.

The smallest Swift program shows how much of it belongs to the language and to the system.
"""
import subprocess
import time

import programs
import rig
from lib.processes import needs
from table import Row, at_most

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


def medians(rounds, measured, *commands):
    """Runs the commands in turn and returns the median of each in milliseconds."""
    columns = zip(*[[measured(words) for words in commands] for _ in range(rounds)])
    return [sorted(column)[rounds // 2] for column in columns]


def start(words):
    return 1000 * programs.run(words).wall


def measure(options):
    floor = programs.peer("floor")
    ours, theirs, smallest = medians(
        4 * options.starts, start, [programs.ours(), "version"], [needs("gpspipe"), "-V"], [floor])
    yield at_most(1.1, "start of version, median", "ms", ours, "gpspipe -V", theirs)
    yield Row("start of version, median", "ms", ours, "smallest Swift program", smallest)
    with rig.daemon() as (port, _):
        ours, theirs, smallest = medians(
            options.starts, first_line, rig.watch(port), rig.gpspipe(port), [floor, str(port)])
    yield at_most(1, "start to first line, median", "ms", ours, "gpspipe -w", theirs)
    yield Row("start to first line, median", "ms", ours, "smallest Swift program", smallest)
