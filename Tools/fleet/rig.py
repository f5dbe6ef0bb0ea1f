"""Simulated fleets that load brokers and count what arrives, and the outcomes of scenarios as a table."""
import dataclasses
import json
import os
import subprocess
import sys

from lib import ROOT
from lib.processes import told

LOAD = ROOT / "Tools/fleet/load.py"
COLUMNS = {
    "devices": "devices", "sent": "sent", "sent again": "resent", "acknowledged": "acknowledged", "received": "received", "lost": "lost",
    "twice": "duplicated", "out of order": "out_of_order", "p50 ms": "latency_p50_ms", "p99 ms": "latency_p99_ms",
    "max ms": "latency_max_ms", "CPU %": "broker_cpu_percent", "MB": "broker_loaded_mb",
}
# The command, once it is built.
COMMAND = None


def build(is_short):
    """Builds the command; a short run takes that of the tests, with their flags, so that nothing is built twice."""
    global COMMAND
    flags = os.environ.get("TEST_FLAGS", "").split() if is_short else told(ROOT / "Tools/build/release-flags").splitlines()
    told(os.environ.get("SWIFT", "swift"), "build", "--product", "locwatch", *flags, cwd=ROOT)
    COMMAND = ROOT / (".build/debug" if is_short else ".build-release/release") / "locwatch"


class Fleet:
    """A running fleet. It is created when all devices are connected and the load begins."""

    def __init__(self, brokers, **options):
        words = [sys.executable, LOAD]
        for name, value in options.items():
            option = "--" + name.replace("_", "-")
            for one in value if isinstance(value, list) else [value]:
                words += [option] if one is True else [option, str(one)]
        self.process = subprocess.Popen([*words, *brokers], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.line = self.process.stderr.readline()

    def figures(self):
        """Waits for the end and returns the figures."""
        output, errors = self.process.communicate()
        if self.process.returncode != 0:
            raise SystemExit(f"fleet: {self.line}{errors}")
        return json.loads(output)


def run(brokers, **options):
    return Fleet(brokers, **options).figures()


@dataclasses.dataclass
class Outcome:
    scenario: str
    figures: dict
    promise: str
    is_kept: bool
    notes: list = dataclasses.field(default_factory=list)

    @property
    def text(self):
        cells = [(name, number(self.figures[key])) for name, key in COLUMNS.items() if key in self.figures]
        widths = [max(map(len, cell)) for cell in cells]
        lines = [self.scenario]
        for column in range(2 if cells else 0):
            lines.append("  " + "  ".join(cell[column].rjust(width) for cell, width in zip(cells, widths)))
        lines += [f"  {note}" for note in self.notes] + [f"  {'kept' if self.is_kept else 'BROKEN'}: {self.promise}"]
        return "\n".join(lines) + "\n"


def number(value):
    return f"{value:,.0f}" if isinstance(value, int) or abs(value) >= 100 else f"{value:.3g}"
