"""Starts simulated fleets, which load brokers and count what arrives."""
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(__file__).with_name("load")
# The command, once it is built.
COMMAND = None


def build(is_short):
    """Builds the command; a short run takes that of the tests."""
    global COMMAND
    flags = []
    if not is_short:
        (ROOT / ".build-release").mkdir(exist_ok=True)
        flags = subprocess.run([ROOT / "Tools/build/release-flags"], check=True, capture_output=True,
                               text=True).stdout.splitlines()
    # The flags of the tests, so that nothing is built twice.
    strict = os.environ.get("TEST_FLAGS", "").split() if is_short else []
    subprocess.run([os.environ.get("SWIFT", "swift"), "build", "--product", "locwatch", *flags, *strict], cwd=ROOT,
                   check=True, stdout=subprocess.DEVNULL)
    COMMAND = ROOT / (".build/debug" if is_short else ".build-release/release") / "locwatch"


class Fleet:
    """A running fleet. It is created when all devices are connected and the load begins."""

    def __init__(self, brokers, **options):
        words = [sys.executable, PROGRAM]
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
