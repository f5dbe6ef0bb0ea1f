"""Recordings: lines of gpsd, and `locwatch serve`."""
import contextlib
import datetime
import json
import subprocess

from . import ROOT
from .processes import free_port, running

WALK = ROOT / "Fixtures/walk/session.json"
VERSION = '{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}\n'
# The time at which drives begin: 2026-01-01T00:00:00Z.
FIRST = 1_767_225_600


def stamp(seconds):
    """Returns a moment, in seconds since 1970, as gpsd writes it."""
    moment = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"


def fix(seconds, latitude, longitude=7.0, **more):
    """Returns gpsd's line of a position."""
    report = {"class": "TPV", "device": "/dev/ttyACM0", "mode": 3, "time": stamp(seconds), "lat": round(latitude, 7), "lon": longitude,
              "altMSL": 239.4, "eph": 4.0}
    return json.dumps(report | more, separators=(",", ":")) + "\n"


def drive(path, count, interval=1):
    """Writes the recording of a drive with a position every `interval` seconds, and returns its path."""
    with open(path, "w") as file:
        file.write(VERSION)
        for second in (number * interval for number in range(count)):
            file.write(fix(FIRST + second, 45.07 + second * 1e-4, 7.68, ept=0.005, speed=11.1, track=0.0))
    return path


@contextlib.contextmanager
def served(program, *options, source=WALK, repeated=True):
    """Serves a recording, in a loop unless told otherwise, and yields the port."""
    port, again = free_port(), ["--loop", "--redate"] if repeated else []
    with running(program, "serve", *again, *options, "--port", port, source, stderr=subprocess.PIPE) as server:
        server.stderr.readline()  # Printed as soon as the server listens.
        yield port
