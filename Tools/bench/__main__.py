#!/usr/bin/env python3
"""Measures locwatch and comparable programs alternately in one run, and prints a table with ratios and goals.

    python3 Tools/bench [--quick] [--json FILE] [NAME …]
        names: decode bulk growth live latency start idle many monitor fleet publish web, and weight, which runs only if it is named
"""
import argparse
import importlib
import pathlib
import sys
import types

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import programs  # noqa: E402
import table  # noqa: E402
from lib.processes import machine  # noqa: E402

NAMES = ["decode", "bulk", "growth", "live", "latency", "start", "idle", "many", "monitor", "fleet", "publish", "web"]
# Builds everything anew, which takes longer than all the others.
SLOW = ["weight"]
FULL = types.SimpleNamespace(
    megabytes=210, rounds=5, epochs=200, starts=41, idle=60, crowd=20, monitor=30, fleet=10_000, turns=2,
    window=12, backlog=1_000_000)
QUICK = types.SimpleNamespace(
    megabytes=21, rounds=2, epochs=40, starts=5, idle=4, crowd=3, monitor=5, fleet=1_000, turns=0,
    window=0, backlog=50_000)


def main():
    parser = argparse.ArgumentParser(prog="bench", description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="use smaller inputs; takes less than a minute")
    parser.add_argument("--json", type=pathlib.Path, help="also write the results to this file; - is standard output")
    parser.add_argument("--skip-build", action="store_true", help="measure the existing builds")
    parser.add_argument("--strict", action="store_true", help="fail if a goal is missed")
    parser.add_argument("--against", metavar="REVISION", help="the earlier revision to which weight compares the builds")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"what to measure: {' '.join(NAMES)} (all), {' '.join(SLOW)}")
    arguments = parser.parse_args()
    if unknown := set(arguments.names) - set(NAMES + SLOW):
        parser.error(f"unknown measurement: {' '.join(sorted(unknown))}")
    # The weight has builds of its own.
    if not arguments.skip_build and set(arguments.names) != set(SLOW):
        programs.build()
    options, about, rows = QUICK if arguments.quick else FULL, machine(), []
    options.against = arguments.against
    for name in arguments.names or NAMES:
        print(f"bench: {name} …", file=sys.stderr, flush=True)
        rows += importlib.import_module(name).measure(options)
    if arguments.json == pathlib.Path("-"):
        sys.stdout.write(table.as_json(rows, about))
    else:
        sys.stdout.write(table.text(rows, about))
        if arguments.json:
            arguments.json.write_text(table.as_json(rows, about))
    return 1 if arguments.strict and any(row.met is False for row in rows) else 0


sys.exit(main())
