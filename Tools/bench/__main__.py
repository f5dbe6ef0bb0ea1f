"""Measures locwatch and comparable programs alternately in one run, and prints a table with ratios and goals: see `make bench`."""
import argparse
import pathlib
import sys
import types

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import programs  # noqa: E402
from lib import chosen  # noqa: E402
from lib.processes import machine  # noqa: E402
from instructions import instructions  # noqa: E402
from publish import publish  # noqa: E402
from recordings import bulk, decode, growth  # noqa: E402
from rows import text  # noqa: E402
from sessions import idle, latency, live, many, start  # noqa: E402
from views import fleet, monitor, web  # noqa: E402

# The measurements in their order.
ALL = {each.__name__: each for each in (instructions, decode, bulk, growth, live, latency, start, idle, many, monitor, fleet, publish, web)}
# The sizes of the inputs, and those of a run in less than a minute.
FULL = {"megabytes": 210, "rounds": 5, "epochs": 200, "starts": 41, "idle": 60, "crowd": 20, "monitor": 30, "fleet": 10_000, "window": 12,
        "backlog": 1_000_000}
QUICK = {"megabytes": 21, "rounds": 2, "epochs": 40, "starts": 5, "idle": 4, "crowd": 3, "monitor": 5, "fleet": 1_000, "window": 0,
         "backlog": 50_000}


def main():
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="use smaller inputs; takes less than a minute")
    parser.add_argument("--skip-build", action="store_true", help="measure the existing builds")
    parser.add_argument("--strict", action="store_true", help="fail if a goal is missed")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"what to measure: {' '.join(ALL)} (all)")
    arguments = parser.parse_args()
    names = chosen(parser, arguments.names, ALL)
    if not arguments.skip_build:
        programs.build()
    about, rows = machine(), []
    options = types.SimpleNamespace(**QUICK if arguments.quick else FULL)
    for name in names:
        print(f"bench: {name} …", file=sys.stderr, flush=True)
        rows += ALL[name](options)
    print(text(rows, about))
    return 1 if arguments.strict and any(row.met is False for row in rows) else 0


sys.exit(main())
