#!/usr/bin/python3
"""Figures of a recorded session by json and numpy, as JSON: session_figures.py FILE.

The accuracy of an instant is that of its last report; signals and dilutions are those of every sky view.
"""
import json
import sys

import numpy


def distribution(values):
    values = numpy.array(values, dtype=float)
    return {
        "count": float(len(values)), "min": values.min(), "median": numpy.quantile(values, 0.5),
        "p95": numpy.quantile(values, 0.95), "max": values.max(), "mean": values.mean(), "deviation": values.std(),
    }


skies, devices, reports = [], {}, 0
for line in open(sys.argv[1], encoding="utf-8"):
    report = json.loads(line)
    if report["class"] == "SKY":
        skies.append(report)
    if report["class"] == "TPV" and report["mode"] >= 2 and "lat" in report:
        devices.setdefault(report["device"], {}).setdefault(report["time"], {}).update(report)

figures = {"instants": float(sum(len(instants) for instants in devices.values())), "skies": float(len(skies))}
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
