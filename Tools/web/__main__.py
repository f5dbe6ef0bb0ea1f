"""Tests the page of `locwatch web` in Chromium, and its metrics with Prometheus's promtool: see `make test-web`."""
import argparse
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import metrics  # noqa: E402
import page  # noqa: E402
from lib import ROOT, chosen  # noqa: E402
from lib.processes import Failure  # noqa: E402

NAMES = [*page.SCENARIOS, "metrics"]


def main():
    parser = argparse.ArgumentParser(prog="make test-web", description=__doc__)
    parser.add_argument("--program", default=ROOT / "dist/locwatch", help="the program to test")
    parser.add_argument("--pictures", default=ROOT / ".build/web-pictures", type=pathlib.Path, help="the folder for screenshots")
    parser.add_argument("--seconds", default=60, type=int, help="how long the metrics are asked for")
    parser.add_argument("scenarios", nargs="*", metavar="SCENARIO", help="of " + ", ".join(NAMES))
    options = parser.parse_args()
    names = chosen(parser, options.scenarios, NAMES)
    options.pictures.mkdir(parents=True, exist_ok=True)
    if pages := [name for name in names if name in page.SCENARIOS]:
        page.run(options.program, options.pictures, pages)
    if "metrics" in names:
        metrics.run(options.program, options.seconds)


try:
    main()
except Failure as failure:
    sys.exit(f"FAIL  {failure}")
