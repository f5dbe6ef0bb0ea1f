#!/usr/bin/env python3
"""Reads NMEA 0183 with pynmea2 and with pynmeagps, and prints what each finds in a sentence.

Usage: read_sentences.py FILE. One line of JSON per sentence and reader: its type, its talker and its known values, with the
same names and units from both. Sentences that a reader rejects end the program. The readers are those in .venv.
"""
import json
import sys

import pynmea2
from pynmeagps import NMEAReader

# The fields of each type: the name that is printed, that of pynmea2 and that of pynmeagps.
FIELDS = {
    "GGA": [("quality", "gps_qual", "quality"), ("used", "num_sats", "numSV"), ("hdop", "horizontal_dil", "HDOP"),
            ("altitude", "altitude", "alt"), ("separation", "geo_sep", "sep"), ("age", "age_gps_data", "diffAge"),
            ("station", "ref_station_id", "diffStation")],
    "RMC": [("status", "status", "status"), ("knots", "spd_over_grnd", "spd"), ("course", "true_course", "cog"),
            ("variation", "mag_variation", "mv"), ("variationSide", "mag_var_dir", "mvEW"),
            ("mode", "mode_indicator", "posMode")],
    "GLL": [("status", "status", "status"), ("mode", "faa_mode", "posMode")],
    "VTG": [("course", "true_track", "cogt"), ("magneticCourse", "mag_track", "cogm"),
            ("knots", "spd_over_grnd_kts", "sogn"), ("kmh", "spd_over_grnd_kmph", "sogk"), ("mode", "faa_mode", "posMode")],
    "GST": [("range", "rms", "rangeRms"), ("major", "std_dev_major", "stdMajor"), ("minor", "std_dev_minor", "stdMinor"),
            ("orientation", "orientation", "orient"), ("north", "std_dev_latitude", "stdLat"),
            ("east", "std_dev_longitude", "stdLong"), ("up", "std_dev_altitude", "stdAlt")],
    "ZDA": [("day", "day", "day"), ("month", "month", "month"), ("year", "year", "year")],
    "GSA": [("fix", "mode_fix_type", "navMode"), ("pdop", "pdop", "PDOP"), ("hdop", "hdop", "HDOP"),
            ("vdop", "vdop", "VDOP")],
    "GSV": [("count", "num_messages", "numMsg"), ("number", "msg_num", "msgNum"), ("seen", "num_sv_in_view", "numSV")],
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


def by_pynmea2(line):
    sentence = pynmea2.parse(line, check=True)
    kind = sentence.sentence_type
    found = {"type": kind, "talker": sentence.talker}
    for name, field, _ in FIELDS[kind]:
        found[name] = value(getattr(sentence, field, None))
    if kind in ("GGA", "RMC", "GLL", "GST", "ZDA"):
        found["time"] = clock(sentence.timestamp)
    if kind == "RMC":
        found["date"] = str(sentence.datestamp) if sentence.datestamp else None
    if kind in ("GGA", "RMC", "GLL") and sentence.lat:
        found["lat"], found["lon"] = sentence.latitude, sentence.longitude
    if kind == "GSA":
        numbers = [getattr(sentence, f"sv_id{place:02d}") for place in range(1, 13)]
        found["satellites"] = [[int(number)] for number in numbers if number]
    if kind == "GSV":
        # pynmea2 does not know the signal after the satellites, and takes it for another one.
        listed = int(sentence.num_sv_in_view) - 4 * (int(sentence.msg_num) - 1)
        found["satellites"] = [
            [value(getattr(sentence, name.format(place), None)) for name in
             ("sv_prn_num_{}", "elevation_deg_{}", "azimuth_{}", "snr_{}")]
            for place in range(1, min(4, listed) + 1)]
    return found


def by_pynmeagps(line):
    sentence = NMEAReader.parse(line, validate=1)
    kind = sentence.msgID
    found = {"type": kind, "talker": sentence.talker}
    for name, _, field in FIELDS[kind]:
        found[name] = value(getattr(sentence, field, None))
    if kind in ("GGA", "RMC", "GLL", "GST", "ZDA"):
        found["time"] = clock(sentence.time)
    if kind == "RMC":
        found["date"] = str(sentence.date) if sentence.date else None
    if kind in ("GGA", "RMC", "GLL") and sentence.lat != "":
        found["lat"], found["lon"] = sentence.lat, sentence.lon
    if kind == "GSA":
        numbers = [getattr(sentence, f"svid_{place:02d}", "") for place in range(1, 13)]
        found["satellites"] = [[int(number)] for number in numbers if number != ""]
    if kind == "GSV":
        found["satellites"] = [
            [value(getattr(sentence, f"{name}_{place:02d}", None)) for name in ("svid", "elv", "az", "cno")]
            for place in range(1, 5) if getattr(sentence, f"svid_{place:02d}", "") != ""]
    return found


def main():
    with open(sys.argv[1], "rb") as file:
        lines = file.read().split(b"\r\n")
    assert lines.pop() == b"", "the last sentence has no line end"
    for line in lines:
        assert len(line) <= 80, line
        text = line.decode("ascii")
        for reader, found in (("pynmea2", by_pynmea2(text)), ("pynmeagps", by_pynmeagps(text))):
            known = {name: held for name, held in found.items() if held is not None}
            print(json.dumps({"reader": reader, "line": text} | known, separators=(",", ":")))


main()
