"""What clients that read nothing cost `locwatch web`: memory for each path, with a thousand connections and afterwards, and the delay of live events."""
import contextlib
import datetime
import json
import pathlib
import resource
import select
import socket
import struct
import subprocess
import tempfile
import threading
import time

from browser import free_port, until
from page import TOKEN, check

HOURS, RATE, DEVICES = 4, 10, 2000
UNREAD, CROWD, BUSY = 100, 1000, 20
PATHS = ["/", "/events", "/location", "/track.gpx", "/track.geojson", "/metrics", "/healthz", "/page.json", "/history.json", "/page.js", "/none"]
FLEET = ["/", "/events", "/location", "/metrics", "/page.json", "/track.gpx"]
MEGABYTE = 1 << 20


class Daemon(threading.Thread):
    """A stand-in for gpsd with a track of `HOURS`, then `RATE` positions a second, of which `sent` has the times."""

    def __init__(self):
        super().__init__(daemon=True)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.sent, self.is_over = {}, False

    def run(self):
        client, _ = self.listener.accept()
        with client:
            client.sendall(line({"class": "VERSION", "release": "3.25", "rev": "3.25", "proto_major": 3, "proto_minor": 15}))
            client.recv(4096)
            client.sendall(line({"class": "DEVICES", "devices": [{"class": "DEVICE", "path": "/dev/gps", "activated": "2026-11-21T00:00:00.000Z"}]}))
            now = time.time()
            for second in range(HOURS * 3600):
                client.sendall(position(now - HOURS * 3600 + second, 45 + second / 1e5))
            number = 0
            while not self.is_over:
                number += 1
                self.sent[number] = time.monotonic()
                with contextlib.suppress(OSError):
                    client.sendall(position(time.time(), 50 + number / 1e6))
                time.sleep(1 / RATE)


def line(message):
    return json.dumps(message).encode() + b"\r\n"


def position(moment, latitude):
    stamp = datetime.datetime.fromtimestamp(moment, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"
    return line({
        "class": "TPV", "device": "/dev/gps", "mode": 3, "time": stamp, "lat": round(latitude, 7), "lon": 7.123456789, "altMSL": 239.417,
        "eph": 4.211, "epv": 7.013, "speed": 12.345, "track": 77.512})


class Fleet(threading.Thread):
    """A broker with `DEVICES` devices, each of which reports every two seconds."""

    def __init__(self, folder):
        super().__init__(daemon=True)
        self.port, self.is_over = free_port(), False
        settings = pathlib.Path(folder) / "mosquitto.conf"
        settings.write_text(f"listener {self.port} 127.0.0.1\nallow_anonymous true\n")
        self.broker = subprocess.Popen(["mosquitto", "-c", settings], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until(lambda: listens(self.port), "mosquitto does not listen")

    def run(self):
        client = socket.create_connection(("127.0.0.1", self.port))
        client.sendall(packet(0x10, b"\0\4MQTT\4\2\0\0\0\4load"))
        client.recv(4)
        while not self.is_over:
            for device in range(DEVICES):
                body = json.dumps({"_type": "location", "lat": 45 + device / 1e4, "lon": 7.1, "tst": int(time.time()), "acc": 5, "tid": "ab"})
                topic = f"owntracks/a-rather-long-name-of-the-fleet/device-{device:06}".encode()
                client.sendall(packet(0x30, struct.pack(">H", len(topic)) + topic + body.encode()))
                time.sleep(2 / DEVICES)

    def end(self):
        self.is_over = True
        self.join()
        self.broker.kill()
        self.broker.wait()


def listens(port):
    with socket.socket() as connection:
        return connection.connect_ex(("127.0.0.1", port)) == 0


def packet(kind, content):
    size, length = len(content), b""
    while True:
        size, digit = size >> 7, size & 127
        length += bytes([digit | (0x80 if size else 0)])
        if not size:
            return bytes([kind]) + length + content


def opened(port, text, window=2048):
    """Returns a connection that sends a text, with a small window for what it gets."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, window)
    connection.settimeout(60)
    connection.connect(("127.0.0.1", port))
    connection.sendall(text.encode())
    return connection


def request(path, method="GET", version="1.1"):
    return f"{method} {path} HTTP/{version}\r\nHost: localhost\r\nAuthorization: Bearer {TOKEN}\r\n\r\n"


def whole(port, path):
    """Returns the response to a request that is read to its end."""
    with opened(port, request(path, version="1.0"), 1 << 20) as connection:
        return b"".join(iter(lambda: connection.recv(1 << 20), b""))


class Server:
    """A running `locwatch web` and its memory."""

    def __init__(self, port, process):
        self.port, self.process = port, process

    @property
    def memory(self):
        """The resident memory in megabytes."""
        with open(f"/proc/{self.process.pid}/status") as status:
            return next(int(line.split()[1]) / 1024 for line in status if line.startswith("VmRSS"))

    def peak(self, seconds):
        end, most = time.monotonic() + seconds, 0.0
        while time.monotonic() < end:
            most = max(most, self.memory)
            time.sleep(0.02)
        return most

    def is_back(self, before, what):
        """Checks that the memory is that of before, within a fifth, ten seconds later."""
        end = time.monotonic() + 10
        while self.memory > before * 1.2 and time.monotonic() < end:
            time.sleep(0.1)
        verify(self.memory <= before * 1.2, f"{what}: {self.memory:.1f} MB ten seconds later, {before:.1f} MB before")


FAILURES = []


def verify(condition, what):
    """Notes a failure, so that one trial shows every figure."""
    if not condition:
        FAILURES.append(what)


@contextlib.contextmanager
def watched(program, source, folder):
    token = pathlib.Path(folder) / "token"
    token.write_text(TOKEN)
    token.chmod(0o600)
    port = free_port()
    process = subprocess.Popen([program, "web", "-q", "--port", str(port), "--token-file", token, source], stdin=subprocess.DEVNULL)
    try:
        until(lambda: listens(port), "locwatch web does not listen")
        yield Server(port, process)
    finally:
        process.terminate()
        process.wait(30)


def unread(server, path):
    """Asks for a path `UNREAD` times without reading; returns the growth of the memory."""
    before = server.memory
    connections = [opened(server.port, request(path)) for _ in range(UNREAD)]
    growth = server.peak(2) - before
    for connection in connections:
        connection.close()
    verify(growth <= 8, f"{UNREAD} unread {path}: {growth:.1f} MB more")
    server.is_back(before, f"{UNREAD} unread {path}")
    return growth


def crowd(server):
    """Opens `CROWD` connections of every kind; returns the growth of the memory."""
    before = server.memory
    kinds = [
        request("/events"), request("/track.gpx"), request("/track.geojson"), request("/history.json"), request("/metrics"),
        request("/track.gpx") * 30, request("/location", "HEAD"), request("/track.gpx", "HEAD") * 100, request("/track.gpx", version="1.0"),
        "GET /track.gpx HTTP/1.1\r\nHost: localhost\r\nX: " + "x" * 4000,
    ]
    connections = [opened(server.port, kinds[number % len(kinds)]) for number in range(CROWD - 50)]
    connections += [opened(server.port, "") for _ in range(50)]
    growth = server.peak(4) - before
    for connection in connections:
        connection.close()
    verify(growth <= 32, f"{CROWD} connections: {growth:.1f} MB more")
    server.is_back(before, f"{CROWD} connections")
    return growth


def delays(server, daemon, seconds, busy):
    """Returns how late live events are, in milliseconds, while `busy` requests for tracks run."""
    live = opened(server.port, request("/events"), 1 << 20)
    paths = ["/track.gpx", "/track.geojson", "/history.json", "/metrics"]
    loads = [opened(server.port, request(paths[number % 4]) * 50, 65536) for number in range(busy)]
    late, rest, end = [], b"", time.monotonic() + seconds
    while time.monotonic() < end:
        ready, _, _ = select.select([live, *loads], [], [], 1)
        for connection in ready:
            chunk = connection.recv(65536)
            if connection is not live:
                if not chunk:
                    loads.remove(connection)
                continue
            now = time.monotonic()
            *lines, rest = (rest + chunk).split(b"\n")
            for text in lines:
                if text.startswith(b'data: {"event":"location"'):
                    number = round((json.loads(text[6:])["lat"] - 50) * 1e6)
                    if number in daemon.sent and daemon.sent[number] > end - seconds + 1:
                        late.append((now - daemon.sent[number]) * 1000)
    for connection in (live, *loads):
        connection.close()
    return sorted(late)


def receiver(program, folder):
    daemon = Daemon()
    daemon.start()
    with watched(program, f"127.0.0.1:{daemon.port}", folder) as server:
        until(lambda: b'lat="50.' in whole(server.port, "/track.gpx"), "the track is not read", 120)
        for path in PATHS[1:]:
            whole(server.port, path) if path != "/events" else None
        print(f"      at rest {server.memory:.1f} MB", flush=True)
        for path in PATHS:
            print(f"      {UNREAD} unread {path}: {unread(server, path):.1f} MB, then {server.memory:.1f} MB", flush=True)
        print(f"      {CROWD} connections: {crowd(server):.1f} MB, then {server.memory:.1f} MB", flush=True)
        for busy in (0, BUSY):
            late = delays(server, daemon, 8, busy)
            check(late, "no live events")
            print(f"      live events with {busy} downloads: median {late[len(late) // 2]:.1f} ms, latest {late[-1]:.1f} ms of {len(late)}", flush=True)
        verify(late[-1] <= 100, f"a live event was {late[-1]:.0f} ms late")
    daemon.is_over = True


def fleet(program, folder):
    load = Fleet(folder)
    try:
        with watched(program, f"mqtt://127.0.0.1:{load.port}/owntracks/#", folder) as server:
            load.start()
            until(lambda: whole(server.port, "/metrics").count(b"locwatch_device_found{") >= DEVICES, "the devices do not come", 60)
            time.sleep(2)
            print(f"      a fleet of {DEVICES:,}, at rest {server.memory:.1f} MB", flush=True)
            for path in FLEET:
                print(f"      {UNREAD} unread {path}: {unread(server, path):.1f} MB, then {server.memory:.1f} MB", flush=True)
            print(f"      {CROWD} connections: {crowd(server):.1f} MB, then {server.memory:.1f} MB", flush=True)
    finally:
        load.end()


def run(program):
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 4096) if hard > 0 else 4096, hard))
    with tempfile.TemporaryDirectory() as folder:
        receiver(program, folder)
        fleet(program, folder)
    check(not FAILURES, "; ".join(FAILURES))
    print(f"ok    unread: {__doc__}", flush=True)
