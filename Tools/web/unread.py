"""What hostile clients cost `locwatch web`: memory for each path that is not read, with 2,000 connections and afterwards, and the delay of others."""
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

HOURS, RATE, DEVICES = 4, 10, 2000
UNREAD, CROWD, BUSY = 100, 2000, 20
# The megabytes that responses of one kind may take, and those of all kinds: the limit of all, and some that are being made.
LIMIT, MIXED = 12, 16
PATHS = ["/", "/events", "/location", "/track.gpx", "/track.geojson", "/metrics", "/healthz", "/page.json", "/history.json", "/page.js", "/none"]
FLEET = ["/", "/events", "/location", "/metrics", "/page.json", "/track.gpx"]
FAILURES = []


def verify(condition, what):
    """Notes a failure, so that one trial shows every figure."""
    if not condition:
        FAILURES.append(what)


class Daemon(threading.Thread):
    """A stand-in for gpsd with a track of `HOURS`, then `RATE` positions a second, of which `sent` has the times."""

    def __init__(self):
        super().__init__(daemon=True)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.sent, self.is_over = {}, False

    def run(self):
        client, _ = self.listener.accept()
        with client, contextlib.suppress(OSError):
            client.sendall(VERSION.encode())
            client.recv(4096)
            client.sendall(b'{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/gps","activated":"2026-11-21T00:00:00.000Z"}]}\n')
            now, more = time.time(), {"device": "/dev/gps", "epv": 7.013, "speed": 12.345, "track": 77.512}
            for second in range(HOURS * 3600):
                client.sendall(fix(now - HOURS * 3600 + second, 45 + second / 1e5, 7.123456789, **more).encode())
            number = 0
            while not self.is_over:
                number += 1
                self.sent[number] = time.monotonic()
                client.sendall(fix(time.time(), 50 + number / 1e6, 7.123456789, **more).encode())
                time.sleep(1 / RATE)


def opened(port, text, window=2048):
    """Returns a connection that sends a text, with a small window for what it gets."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, window)
    connection.settimeout(60)
    connection.connect(("127.0.0.1", port))
    # A connection that has given way to another is closed.
    with contextlib.suppress(ConnectionError):
        connection.sendall(text.encode())
    return connection


def request(path, method="GET", version="1.1"):
    return f"{method} {path} HTTP/{version}\r\nHost: localhost\r\nAuthorization: Bearer {TOKEN}\r\n\r\n"


def whole(port, path):
    """Returns the response to a request that is read to its end."""
    with opened(port, request(path, version="1.0"), 1 << 20) as connection:
        return b"".join(iter(lambda: connection.recv(1 << 20), b""))


def verify_whole(text, who):
    """Notes a failure if events are missing: the name of an event ends in the number of bytes of all events up to its end."""
    names = list(re.finditer(rb"^id: \w+-([0-9a-f]{16})$", text, re.MULTILINE))
    ends = [(text.find(b"\n\n", name.end()), int(name[1], 16)) for name in names]
    whole_ends = [end for end in ends if end[0] >= 0]
    gaps = [pair for pair in zip(whole_ends, whole_ends[1:]) if pair[1][0] - pair[0][0] != pair[1][1] - pair[0][1]]
    verify(len(whole_ends) > 10 and not gaps, f"{who} has missed events: {gaps[:5]} of {len(whole_ends)}")


class Trial:
    """A running `locwatch web`, and what its memory grows by."""

    def __init__(self, port, process):
        self.port, self.process = port, process

    @property
    def memory(self):
        return megabytes(self.process.pid)

    def grown(self, name, texts, seconds, limit=LIMIT, meanwhile=lambda: None):
        """Opens a connection for each text, reads none, and prints how much the memory grows; it is as before ten seconds later."""
        before = most = self.memory
        connections, until = [], time.monotonic() + seconds
        for text in texts:
            connections.append(opened(self.port, text))
            if len(connections) % 100 == 0:
                most = max(most, self.memory)
                meanwhile()
        while time.monotonic() < until:
            most = max(most, self.memory)
            meanwhile()
            # Those that are still open send another byte of what never ends.
            for connection in connections:
                with contextlib.suppress(OSError):
                    connection.send(b"x")
            time.sleep(0.02)
        for connection in connections:
            connection.close()
        verify(most - before <= limit, f"{name}: {most - before:.1f} MB more")
        until = time.monotonic() + 10
        while self.memory > before * 1.2 and time.monotonic() < until:
            time.sleep(0.1)
        verify(self.memory <= before * 1.2, f"{name}: {self.memory:.1f} MB ten seconds later, {before:.1f} MB before")
        print(f"      {name}: {most - before:.1f} MB, then {self.memory:.1f} MB", flush=True)

    def run(self, paths):
        for path in paths:
            self.grown(f"{UNREAD} unread {path}", [request(path)] * UNREAD, 2)
        kinds = {
            "silent": [""],
            "slow": ["GET /location HTTP/1.1\r\nX: "],
            "mixed": [
                "", "GET ", request("/track.gpx"), request("/track.geojson"), request("/history.json"), request("/metrics"),
                request("/track.gpx") * 30, request("/location", "HEAD"), request("/track.gpx", "HEAD") * 100,
                request("/track.gpx", version="1.0"), "GET /track.gpx HTTP/1.1\r\nHost: localhost\r\nX: " + "x" * 4000]}
        for kind, texts in kinds.items():
            waits = []

            def ask():
                begin = time.monotonic()
                require(b"ok" in whole(self.port, "/healthz"), "another client gets no answer")
                waits.append((time.monotonic() - begin) * 1000)

            # A reader that takes everything misses none of the events meanwhile.
            text = bytearray()
            with opened(self.port, request("/events", version="1.0"), 1 << 20) as quick:
                reader = threading.Thread(target=lambda: [text.extend(chunk) for chunk in iter(lambda: quick.recv(1 << 20), b"")])
                reader.start()
                self.grown(f"{CROWD} {kind} connections", [texts[number % len(texts)] for number in range(CROWD)], 4, MIXED, ask)
                quick.shutdown(socket.SHUT_RDWR)
                reader.join()
            verify_whole(text, f"a reader beside {CROWD} {kind} connections")
            verify(max(waits) <= 1000, f"another client beside {CROWD} {kind} connections has waited {max(waits):.0f} ms")
            print(f"      another client meanwhile: at most {max(waits):.1f} ms", flush=True)

    def delays(self, daemon, seconds, busy):
        """Returns how late live events are, in milliseconds, while `busy` requests for tracks run."""
        live = opened(self.port, request("/events"), 1 << 20)
        paths = ["/track.gpx", "/track.geojson", "/history.json", "/metrics"]
        loads = [opened(self.port, request(paths[number % 4]) * 50, 65536) for number in range(busy)]
        late, rest, until = [], b"", time.monotonic() + seconds
        while time.monotonic() < until:
            for connection in select.select([live, *loads], [], [], 1)[0]:
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
                        if number in daemon.sent and daemon.sent[number] > until - seconds + 1:
                            late.append((now - daemon.sent[number]) * 1000)
        for connection in (live, *loads):
            connection.close()
        require(late, "no live events")
        return sorted(late)


def receiver(program, token):
    daemon = Daemon()
    daemon.start()
    with served(program, "--token-file", token, f"127.0.0.1:{daemon.port}") as (port, process):
        trial = Trial(port, process)
        wait(lambda: b'lat="50.' in whole(port, "/track.gpx"), "the track is not read", 120)
        for path in PATHS[1:]:
            whole(port, path) if path != "/events" else None
        print(f"      at rest {trial.memory:.1f} MB", flush=True)
        trial.run(PATHS)
        for busy in (0, BUSY):
            late = trial.delays(daemon, 8, busy)
            print(f"      live events with {busy} downloads: median {late[len(late) // 2]:.1f} ms, latest {late[-1]:.1f} ms of {len(late)}", flush=True)
        verify(late[-1] <= 100, f"a live event was {late[-1]:.0f} ms late")
    daemon.is_over = True


def fleet(program, token):
    with Mosquitto() as broker, served(program, "--token-file", token, f"{broker.word}/owntracks/#") as (port, process):
        load = positions.start(broker.port, DEVICES, 2, b"owntracks/a-rather-long-name-of-the-fleet/device-%06d")
        try:
            wait(lambda: whole(port, "/metrics").count(b"locwatch_device_found{") >= DEVICES, "the devices do not come", 60)
            time.sleep(2)
            trial = Trial(port, process)
            print(f"      a fleet of {DEVICES:,}, at rest {trial.memory:.1f} MB", flush=True)
            trial.run(FLEET)
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
        fleet(program, token)
    require(not FAILURES, "; ".join(FAILURES))
    print(f"ok    unread: {__doc__}", flush=True)
