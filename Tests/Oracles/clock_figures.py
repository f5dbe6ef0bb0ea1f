#!/usr/bin/python3
"""Figures of the comparisons of clocks in a recorded session by json and numpy, as JSON: clock_figures.py FILE.

For each of PPS and TOFF, as pulse and message: the number, the median and the range of the offsets in seconds, the drift in
parts per million, the deviation from the line of the drift, and the overlapping Allan deviations by interval.
"""
import json
import sys

import numpy


def figures(rows):
    seconds = numpy.array([second for second, _ in rows], dtype=numpy.int64)
    offsets = numpy.array([offset for _, offset in rows], dtype=numpy.int64)
    ordered = numpy.sort(offsets)
    tail = len(ordered) // 20
    result = {
        "count": float(len(rows)), "median": float(numpy.median(offsets)) / 1e9, "min": int(ordered[0]) / 1e9,
        "max": int(ordered[-1]) / 1e9, "spread": int(ordered[len(ordered) - 1 - tail] - ordered[tail]) / 1e9,
    }
    x = (seconds - seconds[0]).astype(float)
    y = (offsets - offsets[0]).astype(float)
    line, residuals, *_ = numpy.polyfit(x, y, 1, full=True)
    result["drift"] = line[0] / 1000
    result["jitter"] = float(numpy.sqrt(residuals[0] / (len(rows) - 2))) / 1e9
    known = dict(zip((seconds - seconds[0]).tolist(), y))
    for interval in (1, 10, 100, 1000):
        terms = numpy.array([
            known[second + 2 * interval] - 2 * known[second + interval] + known[second] for second in known
            if second + interval in known and second + 2 * interval in known])
        if len(terms) >= 10:
            result[f"allan {interval}"] = float(numpy.sqrt((terms ** 2).mean() / 2) / interval * 1e-9)
    return result


rows = {}
for text in open(sys.argv[1], encoding="utf-8"):
    report = json.loads(text)
    if report["class"] in ("PPS", "TOFF"):
        host = report["clock_sec"] * 10**9 + report["clock_nsec"]
        receiver = report["real_sec"] * 10**9 + report["real_nsec"]
        assert report["real_nsec"] == 0
        rows.setdefault({"PPS": "pulse", "TOFF": "message"}[report["class"]], []).append(
            (report["real_sec"], host - receiver))
print(json.dumps({name: figures(part) for name, part in rows.items()}))
