"""Instructions of an epoch, which do not depend on the load of the machine, and so have hard limits."""
import re
import subprocess

import programs
from lib.processes import needs, require
from rows import below

# A short and a long input, whose difference leaves out the start.
SIZES = (250_000, 1_250_000)
# The most instructions of an epoch: of a TPV with the SKY of 20 satellites, and of a TPV alone. They are 5 % above those of the machine on
# which they were counted, because the C library copies memory differently on another processor.
LIMITS = {
    "watch -j --pace max": (58_600, 28_800),
    "stats": (64_600, 26_900),
    "export csv": (60_500, 31_600),
    "export gpx": (56_800, 28_500),
}


def inputs(without_sky):
    """Returns the two inputs, each with its number of epochs."""
    for size in SIZES:
        source = programs.recording_of(size)
        lines = source.read_bytes().splitlines(keepends=True)
        if without_sky:
            source = source.with_suffix(".tpv.json")
            lines = [line for line in lines if b'"class":"SKY"' not in line]
            source.write_bytes(b"".join(lines))
        yield source, sum(b'"class":"TPV"' in line for line in lines)


def counted(words):
    """Returns the number of instructions that a program executes."""
    run = subprocess.run([needs("valgrind"), "--tool=callgrind", "--callgrind-out-file=/dev/null", *map(str, words)],
                         stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    found = re.search(r"Collected : (\d+)", run.stderr)
    require(run.returncode == 0 and found, f"bench: valgrind cannot run {' '.join(map(str, words))}: {run.stderr[-500:]}")
    return int(found[1])


def instructions(options):
    """Counts the instructions of an epoch in whole commands by the difference of two lengths."""
    for without_sky, what in ((False, "TPV and SKY"), (True, "TPV")):
        files = list(inputs(without_sky))
        (_, few), (_, many) = files
        for name, limits in LIMITS.items():
            short, long = (counted([programs.OURS, *name.split(), file]) for file, _ in files)
            yield below(limits[without_sky], f"{name}, {what}", "instructions", (long - short) / (many - few))
