"""Loads brokers with simulated fleets, breaks things, and prints what arrived: see `make fleet` and `make fleet-short`."""
import argparse
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import cluster  # noqa: E402
import growth  # noqa: E402
import load  # noqa: E402
import mosquitto  # noqa: E402
import publish  # noqa: E402
import rig  # noqa: E402
from lib.processes import machine  # noqa: E402


def count(_):
    """The count itself, without a broker: what it finds in messages that are lost, come twice, late, or from others."""
    tally = load.Tally(2)
    for topic, mark in [(b"d0", b'"seq":0,"due":1'), (b"d0", b'"seq":2,"due":1'), (b"d0", b'"seq":1,"due":1'),
                        (b"d0", b'"seq":2,"due":1'), (b"d1", b'"seq":0,"due":1'), (b"d2", b'"seq":0,"due":1'),
                        (b"d-1", b'"seq":0,"due":1'), (b"d", b'"seq":0,"due":1'), (b"d0", b'"seq":7'),
                        (b"d0", b'"seq":-7,"due":1'), (b"d0", b'"seq":7,"due":1,"more":1')]:
        tally.add(b"owntracks/fleet/" + topic, b'{"_type":"location",' + mark + b"}")
    figures = {"received": tally.count, "duplicated": tally.duplicated, "out_of_order": tally.out_of_order}
    return rig.Outcome("eleven messages, of which one comes twice, one late, and six are not from the fleet", figures,
                       "each is counted as what it is",
                       figures == {"received": 4, "duplicated": 1, "out_of_order": 1} and tally.received == [{0, 1, 2}, {0}])


SCENARIOS = {"count": count, **mosquitto.SCENARIOS, "cluster": cluster.run, **publish.SCENARIOS}


def main():
    parser = argparse.ArgumentParser(prog="make fleet", description=__doc__)
    parser.add_argument("--short", action="store_true", help="smaller fleets, in less than a minute")
    parser.add_argument("scenarios", nargs="*", help="of " + ", ".join(SCENARIOS) + ", or growth: the costs for Documentation/Fleets.md")
    options = parser.parse_args()
    for name in options.scenarios:
        if name not in SCENARIOS and name != "growth":
            parser.error(f"no scenario {name}: there are {', '.join(SCENARIOS)}, growth")
    # `make test-fleet` runs the publishers.
    names = options.scenarios or [name for name in SCENARIOS if not options.short or name not in publish.SCENARIOS]
    if any(name in publish.SCENARIOS for name in names):
        rig.build(options.short)
    about = machine()
    print(f"On {about['cpu']}, {about['cores']} cores, Linux {about['kernel']}, load {about['load']:.1f}. "
          "Latency from the due time of a fix to its arrival at the consumer.\n", flush=True)
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
