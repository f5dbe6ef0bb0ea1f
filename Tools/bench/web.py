"""The web page's server beside `watch -j`: memory and CPU time with 0, 1 and 100 readers, and the time from epoch to event."""
import contextlib
import re
import selectors
import socket
import threading
import time

import programs
import rig
from lib.processes import await_port, free_port
from table import Row, at_most, below

TIME = re.compile(rb'"event":"location","time":"[^"]*T([0-9:.]+Z)"')


class Readers:
    """Readers of the events on one thread; the first one keeps the time of each position."""

    def __init__(self, port, count):
        self.seen = {}
        self.rest = b""
        self.selector = selectors.DefaultSelector()
        self.sockets = []
        for _ in range(count):
            connection = socket.create_connection(("127.0.0.1", port))
            connection.sendall(b"GET /events HTTP/1.0\r\nHost: localhost\r\n\r\n")
            connection.setblocking(False)
            self.selector.register(connection, selectors.EVENT_READ)
            self.sockets.append(connection)
        self.is_over = False
        self.thread = threading.Thread(target=self.read, daemon=True)
        self.thread.start()

    def read(self):
        while not self.is_over:
            for key, _ in self.selector.select(0.2):
                with contextlib.suppress(OSError):
                    chunk = key.fileobj.recv(65536)
                    if not chunk:
                        self.selector.unregister(key.fileobj)
                    elif key.fileobj is self.sockets[0]:
                        self.note(chunk, time.monotonic())

    def note(self, chunk, moment):
        *lines, self.rest = (self.rest + chunk).split(b"\n")
        for line in lines:
            if found := TIME.search(line):
                self.seen.setdefault(found[1].decode(), moment)

    def end(self):
        self.is_over = True
        self.thread.join()
        for connection in self.sockets:
            connection.close()


def measure(options):
    seconds = options.monitor
    with rig.daemon(rate=1) as (daemon, receiver):
        port = free_port()
        server = rig.Client([programs.ours(), "web", "-q", "--port", str(port), f"localhost:{daemon}"])
        watch = rig.Client([programs.ours(), "watch", "-j", "--sky", "--all-devices", f"localhost:{daemon}"])
        await_port(port)
        time.sleep(3)
        rows, used = [], {}
        for count in (0, 1, 100):
            readers = Readers(port, count)
            time.sleep(2)
            before, others = server.activity[0], watch.activity[0]
            time.sleep(seconds)
            cpu = (server.activity[0] - before) * 1000 / seconds
            used[count] = cpu, (watch.activity[0] - others) * 1000 / seconds, server.memory
            if count == 1:
                delays = [1e3 * (moment - receiver.times[name]) for name, moment in readers.seen.items() if name in receiver.times]
            readers.end()
        memory = watch.memory
        for client in (server, watch):
            client.end()
    yield at_most(1.75, "CPU of web, 1 reader, at 1 Hz", "ms/s", used[1][0], "watch -j", used[1][1])
    yield Row("CPU of web, no reader, at 1 Hz", "ms/s", used[0][0], "watch -j", used[0][1])
    yield at_most(4, "CPU of web, 100 readers, at 1 Hz", "ms/s", used[100][0], "1 reader", used[1][0])
    yield below(10, "memory of web, no reader", "MB", used[0][2], "watch -j", memory)
    yield below(10, "memory of web, 1 reader", "MB", used[1][2], "watch -j", memory)
    yield below(12, "memory of web, 100 readers", "MB", used[100][2], "watch -j", memory)
    delays.sort()
    yield Row("from the epoch to its event, median", "ms", delays[len(delays) // 2], "", None)
