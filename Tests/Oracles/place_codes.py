#!/usr/bin/env python3
"""Writes place_codes.tsv: coordinates with their codes, and the middle of each code, as programs of others have it.

Needs `pip install openlocationcode pygeohash maidenhead mgrs`. The seed is fixed, so that the file comes out the same each time.
"""

import pathlib
import random

import maidenhead
import mgrs
import pygeohash
from openlocationcode import openlocationcode

draw = random.Random(20261129)
grid = mgrs.MGRS()


def is_between(latitude, longitude):
    """Whether the coordinate is away from the borders of the longest locators, which the package maidenhead rounds."""
    return all(0.01 < value % 1 < 0.99 for value in ((latitude + 90) * 5760, (longitude + 180) * 2880))


def row(latitude, longitude):
    plus = openlocationcode.encode(latitude, longitude, 11)
    middle = openlocationcode.decode(plus)
    reference = grid.toMGRS(latitude, longitude) if -80 <= latitude <= 84 else "-"
    corner = grid.toLatLon(reference) if reference != "-" else ("-", "-")
    return (
        latitude, longitude, openlocationcode.encode(latitude, longitude), plus, middle.latitudeCenter, middle.longitudeCenter,
        pygeohash.encode(latitude, longitude, 9), *pygeohash.decode_exactly(pygeohash.encode(latitude, longitude, 9))[:2],
        maidenhead.to_maiden(latitude, longitude, precision=5), reference, *corner)


places = [(47.365590, 8.524997), (-41.2730625, 174.7859375), (45.073612, 7.680431), (-89.99, -120.5), (89.99, 0.5)]
while len(places) < 300:
    place = (round(draw.uniform(-90, 90), 7), round(draw.uniform(-180, 180), 7))
    if is_between(*place):
        places.append(place)
names = "latitude longitude pluscode pluscode11 latitude longitude geohash latitude longitude maidenhead mgrs latitude longitude"
lines = ["\t".join(names.split())] + ["\t".join(map(str, row(*place))) for place in places]
pathlib.Path(__file__).with_suffix(".tsv").write_text("\n".join(lines) + "\n")
