#!/usr/bin/python3
"""Reads JSON objects as the module GPSInput of MAVProxy does, and packs them as the message GPS_INPUT (232) of MAVLink.

Usage: gps_input.py < LINES prints for each object the values after packing. It ends with an error for a name that the message does not
have, for a number that does not fit its type, and for null. The names, types and units are those of MAVLink's common.xml; the values
that an object lacks are those of the module: zeros, and every flag of what is ignored.
"""
import json
import struct
import sys

FIELDS = {
    "time_usec": "Q", "gps_id": "B", "ignore_flags": "H", "time_week_ms": "I", "time_week": "H", "fix_type": "B",
    "lat": "i", "lon": "i", "alt": "f", "hdop": "f", "vdop": "f", "vn": "f", "ve": "f", "vd": "f", "speed_accuracy": "f",
    "horiz_accuracy": "f", "vert_accuracy": "f", "satellites_visible": "B",
}
IGNORED = {"alt": 1, "hdop": 2, "vdop": 4, "vn": 8, "ve": 8, "vd": 16, "speed_accuracy": 32, "horiz_accuracy": 64, "vert_accuracy": 128}

for line in sys.stdin:
    data = dict.fromkeys(FIELDS, 0) | {"ignore_flags": 255}
    given = json.loads(line, parse_constant=lambda word: sys.exit(f"{word} is not JSON"))
    for key, value in given.items():
        assert key in FIELDS, key
        assert isinstance(value, int if FIELDS[key] in "QIiHB" else (int, float)) and not isinstance(value, bool), (key, value)
        data[key] = value
    for key, flag in IGNORED.items():
        assert key in given or data["ignore_flags"] & flag, f"{key} is neither given nor ignored"
        assert key not in given or not data["ignore_flags"] & flag, f"{key} is given and ignored"
    # A value beyond its type is an error of struct.
    packed = {key: struct.unpack("<" + code, struct.pack("<" + code, data[key]))[0] for key, code in FIELDS.items()}
    print(json.dumps(packed))
