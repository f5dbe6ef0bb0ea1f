"""A thousand readers that take nothing, beside one that takes everything."""
import json
import resource
import socket
import subprocess
import tempfile
import time

from page import check, served

READERS = 1000
EPOCHS = 300


def recording(file):
    """Writes a session of `EPOCHS` seconds with 30 satellites."""
    satellites = [{"PRN": prn, "el": 10 + prn, "az": prn * 11, "ss": 40.0, "used": True, "gnssid": 0, "svid": prn} for prn in range(1, 31)]
    file.write(json.dumps({"class": "VERSION", "release": "3.22", "rev": "3.22", "proto_major": 3, "proto_minor": 14}) + "\n")
    for second in range(EPOCHS):
        stamp = f"2026-11-21T12:{second // 60:02}:{second % 60:02}.000Z"
        file.write(json.dumps({"class": "TPV", "device": "/dev/gps", "mode": 3, "time": stamp, "lat": 45 + second / 1e5, "lon": 7.0, "eph": 4.0}) + "\n")
        file.write(json.dumps({"class": "SKY", "device": "/dev/gps", "time": stamp, "satellites": satellites}) + "\n")
    file.flush()


def reader(port, buffer=None):
    connection = socket.socket()
    if buffer:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    connection.settimeout(60)
    connection.connect(("127.0.0.1", port))
    connection.sendall(b"GET /events HTTP/1.0\r\nHost: localhost\r\n\r\n")
    return connection


def memory(port):
    """Returns the resident memory of the server at a port, in megabytes."""
    said = subprocess.run(["ss", "-ltnpH", f"sport = :{port}"], capture_output=True, text=True).stdout
    if "pid=" not in said:
        return None
    with open(f"/proc/{said.split('pid=')[1].split(',')[0]}/status") as status:
        return next(int(line.split()[1]) / 1024 for line in status if line.startswith("VmRSS"))


def run(program):
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 4096) if hard > 0 else 4096, hard))
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        recording(file)
        with served(program, "--pace", "20x", file.name) as port:
            quick = reader(port)
            slow = [reader(port, 2048) for _ in range(READERS)]
            began = time.monotonic()
            text, most = b"", 0.0
            while b'"event":"end"' not in text:
                chunk = quick.recv(65536)
                check(chunk, "the quick reader was cut off")
                text += chunk
                most = max(most, memory(port) or 0.0) if len(text) // 200_000 != (len(text) - len(chunk)) // 200_000 else most
            seconds = time.monotonic() - began
            numbers = [int(line.split(b"-")[1]) for line in text.split(b"\n") if line.startswith(b"id: ")]
            gaps = [(a, b) for a, b in zip(numbers, numbers[1:]) if b != a + 1]
            check(not gaps, f"the quick reader has missed events: {gaps[:5]} of {len(numbers)} events in {seconds:.0f} s")
            check(text.count(b'"event":"location"') >= EPOCHS - 20, "positions are missing")
            for one in slow:
                one.close()
    size = f", {most:.0f} MB resident" if most else ""
    print(f"ok    slow: {READERS} readers that take nothing delay no other: {len(numbers)} events in {seconds:.0f} s{size}", flush=True)
