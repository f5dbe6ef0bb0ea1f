"""The map of the page with tiles, from files that are made here and from a server."""
import base64
import contextlib
import http.server
import json
import math
import pathlib
import sqlite3
import struct
import tempfile
import threading
import zlib

from browser import TOKEN, served
from lib.processes import free_port, require, wait
from lib.receivers import WALK

# The colours of the page in light where there is no tile: its box and its grid.
EMPTY = [(255, 255, 255), (226, 230, 236)]
ATTRIBUTION = """&copy; <a href="javascript:bad = 1" onclick="bad = 1">Anna</a><img src="x" onerror="bad = 1"> &amp; <script>bad = 1</script>Bert"""


def mercator(lat, lon):
    """Returns a position in a world of 1 by 1."""
    return (lon + 180) / 360, (1 - math.asinh(math.tan(math.radians(lat))) / math.pi) / 2


def colour(z, x, y):
    """Returns the colour of a tile, which neighbours and other levels do not have."""
    return 40 + 50 * (x % 4), 40 + 50 * (y % 4), 10 * z


def flat(z, x, y):
    """Returns a PNG in the colour of a tile."""
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    rows = (b"\0" + bytes(colour(z, x, y)) * 256) * 256
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 256, 256, 8, 2, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def write(path, tiles, **facts):
    """Writes an MBTiles file, as mbutil does: two tables, and a view of them."""
    path.unlink(missing_ok=True)
    with contextlib.closing(sqlite3.connect(path)) as database, database:
        database.executescript("""
            CREATE TABLE metadata (name TEXT, value TEXT);
            CREATE TABLE map (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_id TEXT);
            CREATE TABLE images (tile_data BLOB, tile_id TEXT);
            CREATE UNIQUE INDEX map_index ON map (zoom_level, tile_column, tile_row);
            CREATE UNIQUE INDEX images_id ON images (tile_id);
            CREATE VIEW tiles AS SELECT map.zoom_level AS zoom_level, map.tile_column AS tile_column, map.tile_row AS tile_row,
                images.tile_data AS tile_data FROM map JOIN images ON images.tile_id = map.tile_id;""")
        database.executemany("INSERT INTO metadata VALUES (?, ?)", facts.items())
        for (z, x, y), picture in tiles.items():
            database.execute("INSERT INTO map VALUES (?, ?, ?, ?)", (z, x, 2 ** z - 1 - y, f"{z}/{x}/{y}"))
            database.execute("INSERT INTO images VALUES (?, ?)", (picture, f"{z}/{x}/{y}"))


def around(place, z, reach):
    """Returns the tiles around a position, with that of the position in the middle."""
    column, row = (int(part * 2 ** z) for part in place)
    return [(z, x, y) for x in range(column - reach, column + reach + 1) for y in range(row - reach, row + reach + 1)]


def pixel(browser, x, y, ratio=1):
    """Returns the colour of the map at a distance from its centre in pixels of CSS."""
    return tuple(browser.execute_script("""
        const [x, y, ratio] = arguments;
        const canvas = document.getElementById("map-canvas");
        return [...canvas.getContext("2d").getImageData(canvas.width / 2 + x * ratio, canvas.height / 2 + y * ratio, 1, 1).data].slice(0, 3);
        """, x, y, ratio))


def shown(browser):
    """Returns the position in the middle of the map."""
    return mercator(*(float(part) for part in browser.text("#coordinate").split(", ")))


def tile_at(place, zoom, level, x, y):
    """Returns the tile of a level at a distance from a position in the middle of a map with a zoom."""
    return level, *(int((part + distance / (256 * 2 ** zoom)) * 2 ** level) for part, distance in zip(place, (x, y)))


def asked(browser):
    return browser.execute_script("return performance.getEntriesByType('resource').map((entry) => new URL(entry.name).pathname)")


def check_pixels(browser, place, zoom, level, hole=None, ratio=1, distances=((150, 100), (250, 60), (300, 200))):
    """Waits until the map has the colours of the tiles of a level at their places, and the grid in a hole of level 17."""
    for x, y in [(east * x, south * y) for x, y in distances for east in (-1, 1) for south in (-1, 1)]:
        tile = tile_at(place, zoom, level, x, y)
        larger = 17, tile[1] >> (level - 17), tile[2] >> (level - 17)
        wanted = [colour(*tile)] if larger != hole else EMPTY
        wait(lambda: pixel(browser, x, y, ratio) in wanted,
             lambda: f"the map has {pixel(browser, x, y, ratio)} at {x}, {y} and not {wanted} of {tile} at zoom {zoom}, {ratio} pixels")


def zoom(browser, button, times):
    for _ in range(times):
        browser.execute_script("document.getElementById(arguments[0]).click()", button)


def file(program, browser, folder):
    """The tiles of a file are where they belong, on a dense screen in more detail, and the grid is where one is missing."""
    place = mercator(45.055181, 7.686911)
    column, row = (int(part * 2 ** 17) for part in place)
    hole = (17, column + 1, row)
    tiles = {tile: flat(*tile) for level, reach in ((17, 4), (18, 8)) for tile in around(place, level, reach)}
    # The missing tile has no larger one either.
    del tiles[hole]
    tiles = {tile: picture for tile, picture in tiles.items() if (17, tile[1] >> 1, tile[2] >> 1) != hole or tile[0] == 17}
    path = folder / "flat.mbtiles"
    write(path, tiles, format="png", minzoom=17, maxzoom=18, attribution=ATTRIBUTION)
    with served(program, "--tiles", path, "--pace", "max", WALK) as port:
        browser.look(1440, 900, "light")
        browser.get(f"http://localhost:{port}/")
        wait(lambda: "ended" in browser.text("#reason"), "the end of the recording is not shown")
        place = shown(browser)
        require(abs(place[0] * 2 ** 17 - column - 0.5) < 0.5, "the recording ends elsewhere")
        check_pixels(browser, place, 17, 17, hole)
        # To the right of the edge of the tile in the middle.
        edge, middle = (1 - place[0] * 2 ** 17 % 1) * 256, (0.5 - place[1] * 2 ** 17 % 1) * 256
        wait(lambda: pixel(browser, edge + 12, middle) in EMPTY, lambda: f"{pixel(browser, edge + 12, middle)} where there is no tile")
        require(pixel(browser, edge + 2, middle) in EMPTY and pixel(browser, edge - 2, middle) == colour(17, column, row), "an edge is not sharp")
        require(not any(path.startswith("/tiles/18/") for path in asked(browser)), "an ordinary screen asks for the tiles of a dense one")
        require(browser.text("#attribution") == "© Anna & bad = 1Bert", browser.text("#attribution"))
        require(browser.execute_script("return document.getElementById('attribution').children.length") == 0, "the attribution is HTML")
        require(browser.execute_script("return typeof bad") == "undefined", "the attribution has run")
        # A zoom has the tiles of its level, or the nearest ones.
        zoom(browser, "zoom-in", 1)
        check_pixels(browser, place, 18, 18, hole)
        zoom(browser, "zoom-in", 3)
        check_pixels(browser, place, 21, 18, hole, distances=[(300, 200)])
        zoom(browser, "zoom-out", 5)
        wait(lambda: pixel(browser, -90, 20) == colour(*tile_at(place, 16, 17, -90, 20)), "a lower zoom has no tile")
        zoom(browser, "zoom-out", 2)
        wait(lambda: pixel(browser, -90, 20) in EMPTY, "a zoom with too many tiles has them")
        zoom(browser, "zoom-in", 3)
        browser.look(1440, 900, "light", 2)
        check_pixels(browser, place, 17, 18, hole, ratio=2)
        # A tile that is missing, and the pixels that are read here.
        complaints = [line for line in browser.complaints() if not ("/tiles/" in line and "404" in line or "willReadFrequently" in line)]
        require(not complaints, f"the browser complains: {complaints}")
    secret = folder / "token"
    secret.write_text(TOKEN)
    secret.chmod(0o600)
    with served(program, "--token-file", secret, "--tiles", path, "--pace", "max", WALK) as port:
        browser.look(1440, 900, "light")
        browser.get(f"http://localhost:{port}/#{TOKEN}")
        wait(lambda: "ended" in browser.text("#reason"), "the token is not taken")
        check_pixels(browser, place, 17, 17, hole)
    browser.complaints()


class Server(http.server.ThreadingHTTPServer):
    """A server of tiles, which can fail."""

    def __init__(self):
        super().__init__(("127.0.0.1", free_port()), Tiles)
        self.requests = []
        self.fails = False
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Tiles(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.requests.append((self.path, dict(self.headers)))
        if self.server.fails:
            return self.send_error(503)
        picture = flat(*map(int, self.path.removesuffix(".png").split("/")[1:]))
        self.send_response(200)
        self.send_header("Content-Type", "image/png")
        self.end_headers()
        self.wfile.write(picture)

    def log_message(self, *words):
        pass


def server(program, browser):
    """The browser asks a server of tiles, which learns the origin of the page only, and no other server."""
    tiles, other = Server(), Server()
    with served(program, "--tiles", f"http://127.0.0.1:{tiles.server_port}/{{z}}/{{x}}/{{y}}.png", "--pace", "max", WALK) as port:
        browser.look(1440, 900, "light")
        browser.get(f"http://localhost:{port}/")
        wait(lambda: "ended" in browser.text("#reason"), "the end of the recording is not shown")
        # Its canvas cannot be read, because the tiles are another server's.
        wanted = "/{}/{}/{}.png".format(*tile_at(shown(browser), 17, 17, 0, 0))
        wait(lambda: wanted in [path for path, _ in tiles.requests], lambda: f"{wanted} is not asked for: {tiles.requests}")
        headers = tiles.requests[0][1]
        require(headers.get("Referer") == f"http://localhost:{port}/" and "Cookie" not in headers, f"{headers}")
        require(browser.text("#attribution") == "Map: 127.0.0.1", browser.text("#attribution"))
        tiles.fails = True
        zoom(browser, "zoom-in", 2)
        wait(lambda: any(path.startswith("/19/") for path, _ in tiles.requests), "a zoom asks for no tile")
        outcome = browser.execute_async_script("""
            const [address, done] = arguments;
            addEventListener("securitypolicyviolation", (event) => done(event.effectiveDirective));
            const image = new Image();
            image.onload = () => done("loaded");
            image.src = address;
            """, f"http://127.0.0.1:{other.server_port}/1/1/1.png")
        require(outcome == "img-src" and not other.requests, f"another server is asked: {outcome}")
    browser.complaints()


# Draws a tile of a town that does not exist, whose avenues are those of the simulated drive.
TOWN = pathlib.Path(__file__).with_name("town.js")
AVENUES = [(45.0676, 7.6623), (45.0736, 7.6688), (45.0781, 7.6745), (45.0742, 7.6823), (45.0689, 7.6790), (45.0676, 7.6623)]


def town(browser, path):
    """Makes a map of a town: the browser draws its tiles, as PNG, JPEG and WebP."""
    browser.get("about:blank")
    (west, north), (east, south) = mercator(45.0815, 7.6570), mercator(45.0640, 7.6890)
    tiles = {}
    for z, kind in ((13, "webp"), (14, "webp"), (15, "jpeg"), (16, "png"), (17, "png")):
        places = [(z, x, y) for x in range(int(west * 2 ** z), int(east * 2 ** z) + 1)
                  for y in range(int(north * 2 ** z), int(south * 2 ** z) + 1)]
        pictures = browser.execute_script(TOWN.read_text() + "return arguments[0].map(([z, x, y]) => draw(z, x, y, arguments[1], arguments[2]))",
                                          places, f"image/{kind}", AVENUES)
        for place, picture in zip(places, pictures):
            head, content = picture.split(",")
            require(kind in head, f"the browser draws no {kind}")
            tiles[place] = base64.b64decode(content)
    write(path, tiles, minzoom=13, maxzoom=17, bounds="7.6570,45.0640,7.6890,45.0815", attribution="An invented town")


def tiles(program, browser, pictures):
    """Tiles of a file and of a server are where they belong, nothing of them runs, and the grid is where one is missing."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        file(program, browser, folder)
        server(program, browser)
        town(browser, folder / "town.mbtiles")
        with served(program, "--tiles", folder / "town.mbtiles", "--fence", "station=45.0678,7.6626,60", "sim:tunnel") as port:
            browser.look(1200, 740, "light")
            browser.get(f"http://localhost:{port}/")
            wait(lambda: browser.text("#state-word") == "found", "no position on the page")
            zoom(browser, "zoom-out", 1)
            wait(lambda: browser.text("#state-word") == "searching", "the loss is not seen", 90)
            wait(lambda: browser.text("#state-word") == "found", "the position is not found again", 90)
            wait(lambda: len([path for path in asked(browser) if path.startswith("/tiles/16/")]) > 5, "no tiles of the town")
            browser.save_screenshot(str(pictures / "tiles-1200-light.png"))
            browser.look(360, 740, "dark", 2)
            browser.save_screenshot(str(pictures / "tiles-360-dark.png"))
            require(not browser.complaints(), "the browser complains")
