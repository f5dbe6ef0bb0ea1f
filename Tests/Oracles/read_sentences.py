#!/usr/bin/python3
"""Reads NMEA 0183 with pynmea2, of Debian's package python3-nmea2, and prints what it finds in each sentence.

Usage: read_sentences.py FILE. One line of JSON per sentence: its type, its talker and its known values. A sentence that the reader rejects
ends the program.
"""
import json
import sys

import pynmea2

# The fields of each type: the name that is printed, and that of pynmea2.
FIELDS = {
    "GGA": {"quality": "gps_qual", "used": "num_sats", "hdop": "horizontal_dil", "altitude": "altitude", "separation": "geo_sep",
            "age": "age_gps_data", "station": "ref_station_id"},
    "RMC": {"status": "status", "knots": "spd_over_grnd", "course": "true_course", "variation": "mag_variation", "variationSide": "mag_var_dir"},
    "GLL": {"status": "status", "mode": "faa_mode"},
    "VTG": {"course": "true_track", "magneticCourse": "mag_track", "knots": "spd_over_grnd_kts", "kmh": "spd_over_grnd_kmph", "mode": "faa_mode"},
    "GST": {"range": "rms", "major": "std_dev_major", "minor": "std_dev_minor", "orientation": "orientation", "north": "std_dev_latitude",
            "east": "std_dev_longitude", "up": "std_dev_altitude"},
    "ZDA": {"day": "day", "month": "month", "year": "year"},
    "GSA": {"fix": "mode_fix_type", "pdop": "pdop", "hdop": "hdop", "vdop": "vdop"},
    "GSV": {},
    "HDT": {"heading": "heading", "unit": "hdg_true"},
    "HDM": {"heading": "heading", "unit": "magnetic"},
    "ROT": {"turn": "rate_of_turn", "status": "status"},
}


def value(found):
    """Returns a number if the text is one; an empty field is None."""
    if found is None or found == "":
        return None
    try:
        return float(found)
    except (TypeError, ValueError):
        return str(found)


def clock(time):
    return None if not time else f"{time.hour:02d}{time.minute:02d}{time.second:02d}.{time.microsecond // 1000:03d}"


def values(line):
    sentence = pynmea2.parse(line, check=True)
    kind = sentence.sentence_type
    found = {"type": kind, "talker": sentence.talker}
    for name, field in FIELDS[kind].items():
        found[name] = value(getattr(sentence, field, None))
    if kind in ("GGA", "RMC", "GLL", "GST", "ZDA"):
        found["time"] = clock(sentence.timestamp)
    if kind == "RMC":
        found["date"] = str(sentence.datestamp) if sentence.datestamp else None
        # Version 1.15 does not name the indicator of the mode.
        found["mode"] = value(sentence.data[11])
    if kind in ("GGA", "RMC", "GLL") and sentence.lat:
        found["lat"], found["lon"] = sentence.latitude, sentence.longitude
    return {name: held for name, held in found.items() if held is not None}


def main():
    with open(sys.argv[1], "rb") as file:
        lines = file.read().split(b"\r\n")
    assert lines.pop() == b"", "the last sentence has no line end"
    for line in lines:
        assert len(line) <= 80, line
        text = line.decode("ascii")
        print(json.dumps({"line": text} | values(text), separators=(",", ":")))


main()
