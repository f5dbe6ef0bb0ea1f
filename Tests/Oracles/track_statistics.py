#!/usr/bin/python3
"""Figures of positions by numpy and GeographicLib.

track_statistics.py scatter: standard input has latitude, longitude, height and reported accuracy in a line; prints name and
value in a line. track_statistics.py quantiles: a value in a line; prints some quantiles, the mean and the deviation.
track_statistics.py distance: latitude and longitude in a line; prints the sum of the distances from point to point.
"""
import math
import sys

import numpy
from geographiclib.geodesic import Geodesic

wgs84 = Geodesic.WGS84


def scatter(rows):
    latitude, longitude = rows[0][:2]
    for _ in range(5):
        east, north = [], []
        for row in rows:
            way = wgs84.Inverse(latitude, longitude, *row[:2])
            east.append(way["s12"] * math.sin(math.radians(way["azi1"])))
            north.append(way["s12"] * math.cos(math.radians(way["azi1"])))
        e, n = numpy.mean(east), numpy.mean(north)
        place = wgs84.Direct(latitude, longitude, math.degrees(math.atan2(e, n)), math.hypot(e, n))
        latitude, longitude = place["lat2"], place["lon2"]
    radii = numpy.array([wgs84.Inverse(latitude, longitude, *row[:2])["s12"] for row in rows])
    heights = rows[:, 2]
    yield "latitude", latitude
    yield "longitude", longitude
    yield "cep50", numpy.quantile(radii, 0.5)
    yield "cep95", numpy.quantile(radii, 0.95)
    yield "drms", numpy.sqrt(numpy.mean(radii ** 2))
    yield "sep", numpy.quantile(numpy.hypot(radii, heights - heights.mean()), 0.5)
    yield "meanHeight", heights.mean()
    yield "heightDeviation", heights.std()
    yield "heightRange", numpy.ptp(heights)
    yield "medianReported", numpy.median(rows[:, 3])
    yield "shareWithinReported", numpy.mean(radii <= rows[:, 3])


def quantiles(rows):
    for share in (0, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 1):
        yield str(share), numpy.quantile(rows[:, 0], share)
    yield "mean", rows[:, 0].mean()
    yield "deviation", rows[:, 0].std()


def distance(rows):
    yield "distance", sum(wgs84.Inverse(*a[:2], *b[:2])["s12"] for a, b in zip(rows, rows[1:]))


values = numpy.loadtxt(sys.stdin, ndmin=2)
for name, value in {"scatter": scatter, "quantiles": quantiles, "distance": distance}[sys.argv[1]](values):
    print(name, repr(float(value)))
