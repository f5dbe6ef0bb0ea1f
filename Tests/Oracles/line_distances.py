#!/usr/bin/python3
"""Tells how far each point of a track lies from a line, by GeographicLib.

Standard input: the points, a line each: latitude, longitude, and 1 where the line has a corner there. Standard output: for
each point the metres to the nearest place on the geodesic between the corners before and after it.
"""
import sys

from geographiclib.geodesic import Geodesic

points = [tuple(map(float, line.split())) for line in sys.stdin]
corners = [index for index, point in enumerate(points) if point[2]]
golden = (5 ** 0.5 - 1) / 2
for start, end in zip(corners, corners[1:]):
    way = Geodesic.WGS84.InverseLine(*points[start][:2], *points[end][:2])
    for point in points[start + 1:end]:
        def distance(along):
            place = way.Position(along)
            return Geodesic.WGS84.Inverse(place["lat2"], place["lon2"], *point[:2])["s12"]
        low, high = 0.0, way.s13
        while high - low > 1e-3:
            a, b = high - golden * (high - low), low + golden * (high - low)
            low, high = (low, b) if distance(a) < distance(b) else (a, high)
        print(repr(min(distance(0), distance(way.s13), distance((low + high) / 2))))
