#!/usr/bin/python3
"""Reads tracks with independent readers and prints one line per point: segment, time, latitude, longitude, altitude.

Usage: read_track.py READER FILE ...; an empty line ends the points of each file. Debian's Python is asked for by name, as its packages
hold the readers.
"""
import csv
import datetime
import io
import json
import subprocess
import sys


def emit(segment, time, latitude, longitude, altitude):
    if isinstance(time, datetime.datetime):
        utc = time.astimezone(datetime.timezone.utc)
        time = utc.strftime("%Y-%m-%dT%H:%M:%S.") + f"{utc.microsecond // 1000:03d}Z"
    print(segment, time or "-", repr(float(latitude)), repr(float(longitude)),
          "-" if altitude is None else repr(float(altitude)), sep="\t")


def instant(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")) if text else None


def by_gpxpy(path):
    import gpxpy
    with open(path, encoding="utf-8") as file:
        track = gpxpy.parse(file)
    for one in track.tracks:
        for number, segment in enumerate(one.segments, 1):
            for point in segment.points:
                emit(number, point.time, point.latitude, point.longitude, point.elevation)


def by_gpsbabel(path, kind):
    # Its CSV has six decimals, its GPX nine.
    text = subprocess.run(["gpsbabel", "-t", "-i", kind, "-f", path, "-o", "gpx", "-F", "-"],
                          check=True, capture_output=True, text=True).stdout
    import gpxpy
    number = 0
    for one in gpxpy.parse(text).tracks:
        for segment in one.segments:
            number += 1
            for point in segment.points:
                emit(number, point.time, point.latitude, point.longitude, point.elevation)


def by_json(path):
    from shapely.geometry import shape
    with open(path, encoding="utf-8") as file:
        collection = json.load(file, parse_constant=lambda word: sys.exit(f"{word} is not JSON"))
    assert collection["type"] == "FeatureCollection", collection["type"]
    for feature in collection["features"]:
        assert feature["type"] == "Feature"
        geometry, properties = feature["geometry"], feature["properties"]
        assert shape(geometry).is_valid
        if geometry["type"] == "Point":
            places, times = [geometry["coordinates"]], [properties["time"]]
        else:
            assert geometry["type"] == "LineString" and len(geometry["coordinates"]) >= 2
            places, times = geometry["coordinates"], properties["coordTimes"]
        assert len(places) == len(times)
        for place, time in zip(places, times):
            emit(properties["segment"], instant(time), place[1], place[0], place[2] if len(place) > 2 else None)


def by_gdal(path):
    from osgeo import ogr, gdal
    gdal.UseExceptions()
    gdal.SetConfigOption("GPX_ELE_AS_25D", "YES")
    source = ogr.Open(path)
    number = 0
    names = [source.GetLayer(index).GetName() for index in range(source.GetLayerCount())]
    for name in names:
        if name in ("waypoints", "routes", "route_points", "track_points"):
            continue
        for feature in source.GetLayerByName(name):
            geometry = feature.GetGeometryRef()
            count = geometry.GetGeometryCount()
            for line in [geometry] if count == 0 else [geometry.GetGeometryRef(index) for index in range(count)]:
                number += 1
                # A track may be of one point, which is not a valid line for the geometry library.
                assert line.GetPointCount() == 1 or line.IsValid()
                for index in range(line.GetPointCount()):
                    place = line.GetPoint(index)
                    emit(number, None, place[1], place[0], place[2] if line.GetCoordinateDimension() > 2 else None)


def by_csv(path):
    with open(path, encoding="utf-8", newline="") as file:
        text = file.read()
    assert text.count("\n") == text.count("\r\n")
    rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    head = rows[0]
    for row in rows[1:]:
        assert len(row) == len(head), (len(row), len(head))
        values = dict(zip(head, row))
        emit(values["segment"], instant(values["time"]), values["lat"], values["lon"], values["alt"] or None)


def by_gpsdecode(path):
    # gpsdecode tells an epoch when the next one begins: an epoch without a fix after the last makes it tell that too.
    with open(path, "rb") as file:
        text = file.read() + b"$GPRMC,000000.000,V,,,,,,,,,,N*4D\r\n"
    out = subprocess.run(["gpsdecode"], input=text, check=True, capture_output=True).stdout
    by_tpv(out.decode().splitlines())


def by_tpv(lines):
    segment, empty, last = 1, True, None
    for line in lines:
        report = json.loads(line)
        if report["class"] != "TPV":
            continue
        if report["mode"] < 2 or "lat" not in report:
            segment, empty = segment + (not empty), True
            continue
        empty = False
        point = (segment, instant(report.get("time")), report["lat"], report["lon"], report.get("altMSL"))
        if last != point:
            emit(*point)
        last = point


def by_influx(path):
    from influx_lines import points
    with open(path, encoding="utf-8", newline="") as file:
        for point in points(file.read()):
            fields = point["fields"]
            time = datetime.datetime.fromtimestamp(point["time"] // 1_000_000 / 1000, datetime.timezone.utc)
            emit(1, time, fields["lat"], fields["lon"], fields.get("altMSL"))


def read(reader, path):
    match reader:
        case "gpxpy": by_gpxpy(path)
        case "json": by_json(path)
        case "gdal": by_gdal(path)
        case "csv": by_csv(path)
        case "gpsdecode": by_gpsdecode(path)
        case "influx": by_influx(path)
        case "tpv":
            with open(path, encoding="utf-8") as file:
                by_tpv(file.read().splitlines())
        # Any format that GPSBabel knows, by its own name.
        case _ if reader.startswith("gpsbabel-"): by_gpsbabel(path, reader.removeprefix("gpsbabel-"))
        case _: sys.exit(f"no such reader: {reader}")


for reader, path in zip(sys.argv[1::2], sys.argv[2::2]):
    read(reader, path)
    print()
