"""Receivers, daemons and recordings: lines of gpsd and NMEA, a real gpsd, and `locwatch serve`."""
import contextlib
import datetime
import json
import os
import subprocess
import tty

from . import ROOT
from .processes import end, free_port, needs, started

WALK = ROOT / "Fixtures/walk/session.json"
VERSION = '{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}\n'


def stamp(seconds):
    """Returns a moment, in seconds since 1970, as gpsd writes it."""
    moment = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"


def fix(seconds, latitude, longitude=7.0, device="/dev/ttyACM0", **more):
    """Returns gpsd's line of a position."""
    report = {"class": "TPV", "device": device, "mode": 3, "time": stamp(seconds), "lat": round(latitude, 7), "lon": longitude,
              "altMSL": 239.4, "eph": 4.0}
    return json.dumps(report | more, separators=(",", ":")) + "\n"


def nmea(text):
    """Returns a sentence with its frame and checksum."""
    checksum = 0
    for byte in text.encode():
        checksum ^= byte
    return f"${text}*{checksum:02X}\r\n".encode()


def serial_line():
    """Returns the descriptors of a pseudo terminal, of a receiver and of its reader, and the path that a gpsd without rights can open."""
    receiver, reader = os.openpty()
    tty.setraw(reader)
    os.fchmod(reader, 0o666)
    return receiver, reader, os.ttyname(reader)


def gpsd(port, device):
    """Starts a real gpsd that reads a device, sends nothing to it, and has a segment of shared memory of its own."""
    environment = os.environ | {"GPSD_SHM_KEY": str(0x4C000000 + port)}
    return started([needs("gpsd"), "-N", "-n", "-b", "-S", port, device], env=environment, cwd="/")


@contextlib.contextmanager
def served(program, *options, source=WALK, repeated=True):
    """Serves a recording, in a loop unless told otherwise, and yields the port."""
    port = free_port()
    server = started([program, "serve", *(["--loop", "--redate"] if repeated else []), *options, "--port", port, source],
                     stderr=subprocess.PIPE)
    try:
        server.stderr.readline()  # Printed as soon as the server listens.
        yield port
    finally:
        end(server)
        server.stderr.close()
