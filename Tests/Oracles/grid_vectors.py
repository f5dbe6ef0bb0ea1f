#!/usr/bin/env python3
"""Writes grid_vectors.tsv: coordinates with their place in the grids, as programs of others have it.

Needs `pip install pyproj mgrs maidenhead`. The seed is fixed, so that the file comes out the same each time.
"""

import pathlib
import random

import maidenhead
import mgrs
import pyproj

draw = random.Random(20261120)
grid = mgrs.MGRS()


def zone_of(latitude, longitude):
    """The zone, by MGRS's own reading of the map."""
    return int(grid.toMGRS(latitude, longitude, MGRSPrecision=0)[:-3])


def utm(latitude, longitude):
    zone = zone_of(latitude, longitude)
    south = " +south" if latitude < 0 else ""
    project = pyproj.Proj(f"+proj=utm +zone={zone} +ellps=WGS84{south}")
    return (zone, *project(longitude, latitude))


def row(latitude, longitude):
    locator = maidenhead.to_maiden(latitude, longitude, precision=3)
    if not -80 <= latitude <= 84:
        return latitude, longitude, locator, "-", "-", "-", "-"
    zone, easting, northing = utm(latitude, longitude)
    return latitude, longitude, locator, zone, f"{easting:.4f}", f"{northing:.4f}", grid.toMGRS(latitude, longitude)


places = [(45.073612, 7.680431), (-33.8568, 151.2153), (60.39, 5.32), (63.991, 3.011), (55.99, 5.9), (64.01, 5.9),
          (78.22, 15.65), (73.0, 8.99), (73.0, 9.01), (83.9, 20.99), (79.0, 21.01), (75.0, 32.99), (75.0, 33.01),
          (80.0, 41.99), (80.0, 42.01), (71.99, 8.0), (0.0101, 0.0101), (-0.0301, -0.0301), (-79.99, 179.99),
          (83.99, -179.99), (84.01, 10.0), (-80.01, 10.0), (89.99, 0.5), (-89.99, -120.5)]
places += [(round(draw.uniform(-80, 84), 7), round(draw.uniform(-180, 180), 7)) for _ in range(400)]
places += [(round(draw.uniform(56, 84), 7), round(draw.uniform(0, 42), 7)) for _ in range(200)]


def is_between(latitude, longitude):
    """Whether the coordinate is away from the borders of locators, which the package maidenhead rounds."""
    return all(0.01 < value % 1 < 0.99 for value in ((latitude + 90) * 24, (longitude + 180) * 12))


places = [place for place in places if is_between(*place)]
lines = ["latitude\tlongitude\tmaidenhead\tzone\teasting\tnorthing\tmgrs"]
lines += ["\t".join(map(str, row(*place))) for place in places]
pathlib.Path(__file__).with_suffix(".tsv").write_text("\n".join(lines) + "\n")
