"""Decoding gpsd's JSON to typed reports on one core, compared with other readers of the same lines."""
import sys

import programs
from lib.processes import needs
from table import Row, at_least

PYTHON = "import json,sys\nfor line in sys.stdin.buffer: json.loads(line)"


def measure(options):
    file, small = programs.recording(options.megabytes), programs.recording(max(4, options.megabytes // 10))
    megabytes, few = file.stat().st_size / 1e6, small.stat().st_size / 1e6

    def seconds(*words):
        return lambda: programs.told([*words, file])["seconds"]

    decoder, unpack, lines, events, simdjson = programs.in_turn(
        options.rounds, seconds(programs.bench(), "bench-decode", "reports"), seconds(programs.peer("unpack")),
        seconds(programs.bench(), "bench-decode", "lines"), seconds(programs.bench(), "bench-decode", "events"),
        seconds(programs.peer("simdjson")))
    speed = megabytes / decoder
    yield at_least(12, "decode to reports", "MB/s", speed, "gps_unpack", megabytes / unpack)
    peers = {
        "gpsdecode": [needs("gpsdecode"), "-j"],
        "jq": [needs("jq"), "-c", ".class"],
        "python json": [sys.executable, "-c", PYTHON],
    }
    for name, words in peers.items():
        cost = min(programs.run(words, stdin=small).cpu for _ in range(2))
        yield Row("decode to reports", "MB/s", speed, name, few / cost)
    # It creates no reports: the fastest parser, which does not interpret its input.
    yield at_least(1, "decode to reports", "MB/s", speed, "simdjson, parsing only", megabytes / simdjson)
    count = min(programs.run(["wc", "-l", file]).cpu for _ in range(options.rounds))
    yield Row("split into lines", "MB/s", megabytes / lines, "wc -l", megabytes / max(count, 1e-4))
    yield Row("reports to events", "MB/s", megabytes / events, "gps_unpack", megabytes / unpack)
