#!/usr/bin/env python3
"""Writes geodesic_vectors.tsv: pairs of coordinates with what GeographicLib says about the way between them.

Needs `pip install geographiclib`. The seed is fixed, so that the file comes out the same each time.
"""

import math
import pathlib
import random

from geographiclib.constants import Constants
from geographiclib.geodesic import Geodesic

wgs84 = Geodesic(Constants.WGS84_a, Constants.WGS84_f)
assert wgs84.a == 6378137.0 and abs(1 / wgs84.f - 298.257223563) < 1e-9
draw = random.Random(20261120)


def latitude():
    return math.degrees(math.asin(draw.uniform(-1, 1)))


def longitude():
    return draw.uniform(-180, 180)


def wrapped(degrees):
    return math.remainder(degrees, 360)


def neighbour(lat, lon, least, most):
    """A point whose distance is drawn evenly on a logarithmic scale."""
    distance = math.exp(draw.uniform(math.log(least), math.log(most)))
    there = wgs84.Direct(lat, lon, draw.uniform(0, 360), distance)
    return lat, lon, there["lat2"], wrapped(there["lon2"])


def within(least, most):
    return lambda: neighbour(latitude(), longitude(), least, most)


def anywhere():
    return latitude(), longitude(), latitude(), longitude()


def nearly_antipodal():
    lat, lon = latitude(), longitude()
    off = 10 ** draw.uniform(-9, 0)
    there = -lat + off * draw.uniform(-1, 1)
    return lat, lon, max(-90, min(90, there)), wrapped(lon + 180 + off * draw.uniform(-1, 1))


def antipodal():
    lat, lon = draw.choice([0, 30, 45, 60, 90, latitude()]), float(draw.randrange(-179, 180))
    return lat, lon, -lat, wrapped(lon + 180)


def polar():
    pole = draw.choice([-90, 90])
    lat = pole if draw.random() < 0.5 else pole * (1 - 10 ** draw.uniform(-12, -2))
    if draw.random() < 0.5:
        return neighbour(lat, longitude(), 0.1, 1e6)
    return lat, longitude(), draw.choice([-pole, pole, latitude()]), longitude()


def date_line():
    lat = draw.uniform(-85, 85)
    if draw.random() < 0.2:
        return lat, 180.0, lat + draw.uniform(-1, 1), -180.0
    return neighbour(lat, math.copysign(180 - 10 ** draw.uniform(-9, 0), draw.uniform(-1, 1)), 0.1, 1e6)


def equatorial():
    lat = draw.choice([0.0, 0.0, 0.0, 10 ** draw.uniform(-12, -3)])
    other = draw.choice([0.0, 0.0, -lat, lat, 10 ** draw.uniform(-12, -3)])
    lon = longitude()
    gap = draw.choice([180, 180 - 10 ** draw.uniform(-6, 0.2), draw.uniform(0, 180), 10 ** draw.uniform(-6, 1)])
    return lat, lon, other, wrapped(lon + draw.choice([-1, 1]) * gap)


def same_parallel():
    lat, lon = latitude(), longitude()
    return lat, lon, lat, wrapped(lon + draw.uniform(-180, 180))


def meridional():
    lon = float(draw.randrange(-180, 180))
    return latitude(), lon, latitude(), lon if draw.random() < 0.5 else wrapped(lon + 180)


def coincident():
    lat, lon = draw.choice([0, 90, -90, latitude(), latitude()]), draw.choice([0, 180, longitude()])
    return lat, lon, lat, -180 if lon == 180 else lon


classes = [
    ("metre", within(0.001, 1), 200),
    ("kilometre", within(1, 1e3), 200),
    ("tens", within(1e3, 6e4), 250),
    ("hundreds", within(6e4, 1e6), 250),
    ("global", anywhere, 250),
    ("nearly-antipodal", nearly_antipodal, 250),
    ("antipodal", antipodal, 50),
    ("polar", polar, 150),
    ("date-line", date_line, 150),
    ("equatorial", equatorial, 150),
    ("parallel", same_parallel, 50),
    ("meridional", meridional, 50),
    ("coincident", coincident, 30),
]

lines = ["class\tlat1\tlon1\tlat2\tlon2\tdistance\tinitial\tfinal"]
for name, pair, count in classes:
    for _ in range(count):
        ends = [float(f"{degrees:.13f}") for degrees in pair()]
        line = wgs84.Inverse(*ends)
        figures = [f"{degrees:.13f}".rstrip("0").rstrip(".") for degrees in ends]
        figures += [f"{line['s12']:.8f}", f"{line['azi1']:.10f}", f"{line['azi2']:.10f}"]
        lines.append("\t".join([name, *figures]))

pathlib.Path(__file__).with_suffix(".tsv").write_text("\n".join(lines) + "\n")
