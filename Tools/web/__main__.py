"""Tests the page of `locwatch web` in Chromium, and its metrics with Prometheus: see `make test-web`."""
import argparse
import pathlib
import sys

import metrics
import model
import page
import slow
import unread

ROOT = pathlib.Path(__file__).resolve().parents[2]


def main():
    parser = argparse.ArgumentParser(prog="make test-web", description=__doc__)
    parser.add_argument("--program", default=ROOT / ".build/debug/locwatch", help="the program to test")
    parser.add_argument("--pictures", default=ROOT / ".build/web-pictures", type=pathlib.Path, help="the folder for screenshots")
    parser.add_argument("--seconds", default=60, type=int, help="how long Prometheus scrapes")
    parser.add_argument("scenarios", nargs="*", help="of " + ", ".join(["model", *page.SCENARIOS, "slow", "unread", "metrics"]))
    options = parser.parse_args()
    options.pictures.mkdir(parents=True, exist_ok=True)
    names = options.scenarios or ["model", *page.SCENARIOS, "slow", "unread", "metrics"]
    if "model" in names:
        model.run()
    pages = [name for name in names if name in page.SCENARIOS]
    if pages:
        page.run(str(options.program), options.pictures, pages)
    if "slow" in names:
        slow.run(str(options.program))
    if "unread" in names:
        unread.run(str(options.program))
    if "metrics" in names:
        metrics.run(str(options.program), options.seconds)


try:
    main()
except AssertionError as failure:
    sys.exit(f"FAIL  {failure}")
