#!/usr/bin/python3
"""Tiles of a map by GDAL.

map_tiles.py write FORMAT FILE: writes four tiles of zoom 3, PNG or JPEG, into an MBTiles file: red, green, blue and white, from the
northwest. map_tiles.py colour FILE: prints the colour of a picture.
"""
import sys

import numpy
from osgeo import gdal

gdal.UseExceptions()
COLOURS = {"red": (255, 0, 0), "green": (0, 255, 0), "blue": (0, 0, 255), "white": (255, 255, 255)}
# The width of the world in metres, and of a tile.
WORLD = 2 * 20037508.342789244
TILE = WORLD / 8


def write(kind, path):
    quarters = [numpy.full((256, 256, 3), COLOURS[name], numpy.uint8) for name in ("red", "green", "blue", "white")]
    picture = numpy.vstack([numpy.hstack(quarters[:2]), numpy.hstack(quarters[2:])])
    source = gdal.GetDriverByName("MEM").Create("", 512, 512, 3)
    source.SetProjection("EPSG:3857")
    # The northwest is that of column 4 and row 2.
    source.SetGeoTransform((0, TILE / 256, 0, WORLD / 2 - 2 * TILE, 0, -TILE / 256))
    for band in range(3):
        source.GetRasterBand(band + 1).WriteArray(picture[:, :, band])
    gdal.GetDriverByName("MBTILES").CreateCopy(path, source, options=[f"TILE_FORMAT={kind}"])


def colour(path):
    picture = gdal.Open(path).ReadAsArray()[:3].reshape(3, -1).mean(axis=1)
    print(min(COLOURS, key=lambda name: abs(picture - COLOURS[name]).sum()))


{"write": write, "colour": colour}[sys.argv[1]](*sys.argv[2:])
