"""Loads brokers with simulated fleets, breaks things, and prints what arrived: see `make fleet` and `make fleet-short`."""
import argparse
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "test"))

import cluster
import count
import generator
import growth
import mosquitto
import outcome
import publish

SCENARIOS = count.SCENARIOS | mosquitto.SCENARIOS | cluster.SCENARIOS | publish.SCENARIOS
# `make test-fleet` runs the publishers.
SHORT = [name for name in SCENARIOS if name not in publish.SCENARIOS]


def main():
    parser = argparse.ArgumentParser(prog="make fleet", description=__doc__)
    parser.add_argument("--short", action="store_true", help="smaller fleets, in less than a minute")
    parser.add_argument("scenarios", nargs="*", help="of " + ", ".join(SCENARIOS) + ", or growth: the costs for Documentation/Fleets.md")
    options = parser.parse_args()
    for name in options.scenarios:
        if name not in SCENARIOS and name != "growth":
            parser.error(f"no scenario {name}: there are {', '.join(SCENARIOS)}, growth")
    names = options.scenarios or (SHORT if options.short else SCENARIOS)
    if any(name in publish.SCENARIOS for name in names):
        generator.build(options.short)
    print(outcome.machine() + "\n", flush=True)
    broken, start = 0, time.monotonic()
    for name in names:
        if name == "growth":
            growth.run(options.short)
            continue
        result = SCENARIOS[name](options.short)
        broken += not result.is_kept
        print(result.text, flush=True)
    print(f"{time.monotonic() - start:.0f} s, {broken} promises broken")
    return 1 if broken else 0


sys.exit(main())
