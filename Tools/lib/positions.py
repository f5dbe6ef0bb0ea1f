"""The positions of a fleet over one connection, because one for each device would need more descriptors than are allowed."""
import contextlib
import multiprocessing
import random
import socket
import struct
import time

TOPIC = b"owntracks/fleet/d%05d"


def text(value):
    return struct.pack(">H", len(value)) + value


def packet(kind, content):
    """Returns a packet of MQTT 3.1.1, whose length takes two bytes from 128 on."""
    length = len(content)
    return bytes([kind, length] if length < 128 else [kind, length % 128 + 128, length // 128]) + content


def position(topic, latitude, longitude, second):
    """Returns OwnTracks' message of a position; all of them have the same size."""
    payload = b'{"_type":"location","lat":%.6f,"lon":%.6f,"tst":%d,"acc":5,"alt":240,"vel":50,"cog":90,"batt":90,"tid":"aa"}'
    return packet(0x30, text(topic) + payload % (latitude, longitude, second))


SIZE = len(position(TOPIC % 0, 45, 7, 1_700_000_000))


def place(source):
    """Returns a place in an area of about 40 km × 40 km."""
    return 45 + source.random() * 0.4, 7.5 + source.random() * 0.5


def warm_up(interval):
    """Returns the time for which positions come four times as often: the first ten of a device allocate its state."""
    return 10 * interval / 4


def send(port, devices, interval):
    source = random.Random(1)
    places = [place(source) for _ in range(devices)]
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(packet(0x10, text(b"MQTT") + b"\4\2\0\0" + text(b"load")))
        connection.recv(4)
        sent, began, civil = 0, time.monotonic(), int(time.time())

        def message(number):
            (latitude, longitude), turn = places[number % devices], number // devices
            return position(TOPIC % (number % devices), latitude + turn * 1e-5, longitude, civil + turn * interval)

        while True:
            elapsed = time.monotonic() - began
            due = int((elapsed + 3 * min(elapsed, warm_up(interval))) * devices / interval)
            for first in range(sent, due, 500):
                chunk = range(first, min(due, first + 500))
                connection.sendall(b"".join(message(number) for number in chunk))
            sent = due
            time.sleep(0.005)


@contextlib.contextmanager
def sent(port, devices, interval=1):
    """Sends the position of each device once in an interval of whole seconds, until the end of the block."""
    process = multiprocessing.Process(target=send, args=(port, devices, interval), daemon=True)
    process.start()
    try:
        yield
    finally:
        process.kill()
        process.join()
