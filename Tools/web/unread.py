"""What hostile clients cost `locwatch web`: the memory while they read nothing and afterwards, and the delay of other clients."""
import contextlib
import json
import pathlib
import re
import select
import socket
import tempfile
import threading
import time

from lib import positions
from lib.brokers import Mosquitto
from lib.processes import allow_descriptors, megabytes, require, wait
from lib.receivers import VERSION, fix
from page import TOKEN, served

# The history of the receiver in seconds, and the size of the fleet.
HISTORY, DEVICES = 4 * 3600, 2000
PATHS = ["/", "/events", "/location", "/track.gpx", "/track.geojson", "/metrics", "/healthz", "/page.json", "/history.json", "/page.js", "/none"]
OPENING = '{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/gps","activated":"2026-11-21T00:00:00.000Z"}]}\n'


def request(path, method="GET", version="1.1"):
    return f"{method} {path} HTTP/{version}\r\nHost: localhost\r\nAuthorization: Bearer {TOKEN}\r\n\r\n"


# What connections send and do not read: the name, the texts, the number of connections, and the megabytes that they may take. Those of
# one kind are limited, and so are all, to which comes what is being made.
LOADS = [(f"unread {path}", [request(path)], 100, 12) for path in PATHS] + [
    ("silent", [""], 2000, 16),
    ("slow", ["GET /location HTTP/1.1\r\nX: "], 2000, 16),
    ("mixed", [
        "", "GET ", *map(request, ("/track.gpx", "/track.geojson", "/history.json", "/metrics")), request("/track.gpx") * 30,
        request("/location", "HEAD"), request("/track.gpx", "HEAD") * 100, request("/track.gpx", version="1.0"),
        "GET /track.gpx HTTP/1.1\r\nHost: localhost\r\nX: " + "x" * 4000], 2000, 16),
]


def opened(port, text, window=2048):
    """Returns a connection that has sent a text, with a window of some bytes for what it gets."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, window)
    connection.settimeout(60)
    connection.connect(("127.0.0.1", port))
    # A connection that has given way to another is closed.
    with contextlib.suppress(ConnectionError):
        connection.sendall(text.encode())
    return connection


def whole(port, path):
    """Returns the response to a request that is read to its end."""
    with opened(port, request(path, version="1.0"), 1 << 20) as connection:
        return b"".join(iter(lambda: connection.recv(1 << 20), b""))


def require_whole(text):
    """Fails if events are missing: the name of an event ends in the number of bytes of all events up to its end."""
    names = [(text.find(b"\n\n", name.end()), int(name[1], 16)) for name in re.finditer(rb"^id: \w+-([0-9a-f]{16})$", text, re.MULTILINE)]
    ends = [name for name in names if name[0] >= 0]
    gaps = [pair for pair in zip(ends, ends[1:]) if pair[1][0] - pair[0][0] != pair[1][1] - pair[0][1]]
    require(len(ends) > 10 and not gaps, f"a reader has missed events: {gaps[:5]} of {len(ends)}")


@contextlib.contextmanager
def reader(port):
    """Runs a reader of the events that takes everything, and fails if it has missed some."""
    text = bytearray()
    with opened(port, request("/events", version="1.0"), 1 << 20) as connection:
        thread = threading.Thread(target=lambda: [text.extend(chunk) for chunk in iter(lambda: connection.recv(1 << 20), b"")])
        thread.start()
        yield
        connection.shutdown(socket.SHUT_RDWR)
        thread.join()
    require_whole(text)


def burdened(port, process, name, texts, count, limit):
    """Opens connections and reads nothing of them; the memory stays below a limit, and is as before when they are closed."""
    before, connections, waits = megabytes(process.pid), [], []
    most, until = before, None
    while until is None or time.monotonic() < until:
        if until is None:
            connections += [opened(port, texts[number % len(texts)]) for number in range(len(connections), len(connections) + 100)]
            until = time.monotonic() + 3 if len(connections) == count else None
        began = time.monotonic()
        require(b"ok" in whole(port, "/healthz"), "another client gets no answer")
        waits.append((time.monotonic() - began) * 1000)
        most = max(most, megabytes(process.pid))
        # Those that are still open send another byte of what never ends.
        for connection in connections:
            with contextlib.suppress(OSError):
                connection.send(b"x")
    for connection in connections:
        connection.close()
    require(most - before <= limit, f"{name}: {most - before:.1f} MB more")
    require(max(waits) <= 1000, f"{name}: another client has waited {max(waits):.0f} ms")
    wait(lambda: megabytes(process.pid) <= before * 1.2, f"{name}: {megabytes(process.pid):.1f} MB afterwards, {before:.1f} MB before", 10)
    print(f"      {count} {name}: {most - before:.1f} MB, then {megabytes(process.pid):.1f} MB; another client at most {max(waits):.0f} ms",
          flush=True)


class Daemon(threading.Thread):
    """A stand-in for gpsd with a history, and then ten positions a second; `sent` has the time of each."""

    def __init__(self):
        super().__init__(daemon=True)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port, self.sent = self.listener.getsockname()[1], {}

    def run(self):
        client, _ = self.listener.accept()
        with client, contextlib.suppress(OSError):
            client.sendall((VERSION + OPENING).encode())
            now, more = time.time(), {"device": "/dev/gps", "epv": 7.013, "speed": 12.345, "track": 77.512}
            client.sendall("".join(fix(now - HISTORY + second, 45 + second / 1e5, 7.1234567, **more) for second in range(HISTORY)).encode())
            while True:
                self.sent[number := len(self.sent) + 1] = time.monotonic()
                client.sendall(fix(time.time(), 50 + number / 1e6, 7.1234567, **more).encode())
                time.sleep(0.1)


def delays(port, daemon, busy, seconds=8):
    """Returns how late live events are, in milliseconds, while a number of downloads of tracks run."""
    live = opened(port, request("/events"), 1 << 20)
    sources = [live, *(opened(port, request(PATHS[3 + number % 3]) * 50, 65536) for number in range(busy))]
    late, rest, until = [], b"", time.monotonic() + seconds
    while time.monotonic() < until:
        for connection in select.select(sources, [], [], 1)[0]:
            chunk = connection.recv(65536)
            if connection is live:
                *lines, rest = (rest + chunk).split(b"\n")
                news = [json.loads(line[6:])["lat"] for line in lines if line.startswith(b'data: {"event":"location"')]
                sent = [daemon.sent.get(round((latitude - 50) * 1e6), 0) for latitude in news]
                late += [(time.monotonic() - moment) * 1000 for moment in sent if moment > until - seconds + 1]
            elif not chunk:
                sources.remove(connection)
    for connection in sources:
        connection.close()
    require(late, "no live events")
    return max(late)


def receiver(program, token):
    daemon = Daemon()
    daemon.start()
    with served(program, "--token-file", token, f"127.0.0.1:{daemon.port}") as (port, process):
        wait(lambda: b'lat="50.' in whole(port, "/track.gpx"), "the track is not read", 120)
        for load in LOADS:
            with reader(port):
                burdened(port, process, *load)
        alone, busy = delays(port, daemon, 0), delays(port, daemon, 20)
        print(f"      live events are at most {alone:.1f} ms late, and {busy:.1f} ms beside 20 downloads", flush=True)
        require(busy <= 100, f"a live event was {busy:.0f} ms late")


def fleet(program, token):
    with Mosquitto() as broker, served(program, "--token-file", token, f"{broker.word}/owntracks/#") as (port, process):
        load = positions.start(broker.port, DEVICES, 2, b"owntracks/a-rather-long-name-of-the-fleet/device-%06d")
        try:
            wait(lambda: whole(port, "/metrics").count(b"locwatch_device_found{") >= DEVICES, "the devices do not come")
            time.sleep(2)
            for load_of_web in LOADS:
                burdened(port, process, *load_of_web)
        finally:
            load.kill()
            load.join()


def run(program):
    allow_descriptors(4096)
    with tempfile.TemporaryDirectory() as folder:
        token = pathlib.Path(folder) / "token"
        token.write_text(TOKEN)
        token.chmod(0o600)
        receiver(program, token)
        print(f"      a fleet of {DEVICES:,}:", flush=True)
        fleet(program, token)
    print(f"ok    unread: {__doc__}", flush=True)
