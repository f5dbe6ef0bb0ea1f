#!/usr/bin/python3
"""Figures of a recorded session by json and numpy, as JSON: session_figures.py FILE.

The accuracy of an instant is that of its first report with every field of the instant before, or else of its last;
satellites and dilutions are those of every epoch, of
which gpsd reports the parts that it has so far: more satellites than before, within half a second, and without a time.
"""
import datetime
import json
import sys

import numpy


def distribution(values):
    values = numpy.array(values, dtype=float)
    return {
        "count": float(len(values)), "min": values.min(), "median": numpy.quantile(values, 0.5),
        "p95": numpy.quantile(values, 0.95), "max": values.max(), "mean": values.mean(), "deviation": values.std(),
    }


FIELDS = {"altMSL", "altHAE", "eph", "epv", "speed", "track", "climb", "eps", "geoidSep"}


def fields(report):
    return FIELDS & report.keys() | ({"3D"} if report["mode"] == 3 else set())


skies, devices, arrival, wanted, settled = {}, {}, 0, {}, set()
for line in open(sys.argv[1], encoding="utf-8"):
    report = json.loads(line)
    arrival = report.get("at", arrival)
    if report["class"] == "SKY":
        assert "time" not in report
        told = skies.setdefault(report["device"], [])
        if told and report["nSat"] > told[-1][1]["nSat"] and arrival - told[-1][0] < 0.5:
            told.pop()
        told.append((arrival, report))
    if report["class"] == "TPV" and report["mode"] >= 2 and "lat" in report:
        device, time = report["device"], report["time"]
        instants = devices.setdefault(device, {})
        if time not in instants and instants:
            wanted[device] = fields(list(instants.values())[-1])
        if (device, time) in settled:
            continue
        instants.setdefault(time, {}).update(report)
        if device in wanted and wanted[device] <= fields(instants[time]):
            settled.add((device, time))

figures = {"epochs": float(sum(len(instants) for instants in devices.values())), "skies": float(sum(map(len, skies.values())))}
intervals, times = 0, 0
for instants in devices.values():
    seconds = sorted(datetime.datetime.fromisoformat(time).timestamp() for time in instants)
    intervals += len(seconds) - 1
    times += seconds[-1] - seconds[0]
figures["rate"] = intervals / times
skies = [sky for told in skies.values() for _, sky in told]
for key in ("hdop", "vdop", "pdop"):
    values = [sky[key] for sky in skies if key in sky]
    if values:
        figures[key] = distribution(values)
for key, of in (("seen", lambda sky: sky.get("nSat")), ("used", lambda sky: sky.get("uSat"))):
    values = [of(sky) for sky in skies if of(sky) is not None]
    if values:
        figures[key] = distribution(values)
# Accuracies are those of the receiver that was followed: only of a single one are they known here.
if len(devices) == 1:
    for key in ("eph", "epv", "eps"):
        values = [instant[key] for instants in devices.values() for instant in instants.values() if key in instant]
        if values:
            figures[key] = distribution(values)
print(json.dumps(figures))
