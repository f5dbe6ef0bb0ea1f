"""The web page's server beside `watch -j`: memory and CPU time with 0, 1 and 40 readers, and the time from epoch to event."""
import time

import latency
import programs
import rig
from lib.processes import await_port, free_port
from table import Row, at_most, below


class Readers(rig.Crowd):
    """Readers of the events; the clock of the first one keeps the time of each position."""

    def __init__(self, port, count):
        self.clock, self.rest = latency.Clock(b'"event":"location"'), b""
        super().__init__(port, count, b"GET /events HTTP/1.0\r\nHost: localhost\r\n\r\n", self.note)

    def note(self, chunk, moment):
        *lines, self.rest = (self.rest + chunk).split(b"\n")
        for line in lines:
            self.clock.line(line, moment)


def measure(options):
    seconds = options.monitor
    with rig.daemon(rate=1) as (daemon, receiver):
        port = free_port()
        server = rig.Client([programs.ours(), "web", "-q", "--port", str(port), f"localhost:{daemon}"])
        watch = rig.Client([programs.ours(), "watch", "-j", "--sky", "--all-devices", f"localhost:{daemon}"])
        await_port(port)
        time.sleep(3)
        rows, used = [], {}
        for count in (0, 1, 40):
            readers = Readers(port, count)
            time.sleep(2)
            before, others = server.activity[0], watch.activity[0]
            time.sleep(seconds)
            cpu = (server.activity[0] - before) * 1000 / seconds
            used[count] = cpu, (watch.activity[0] - others) * 1000 / seconds, server.memory
            if count == 1:
                delays = sorted(1e3 * delay for delay in readers.clock.delays(receiver.times))
            readers.end()
        memory = watch.memory
        for client in (server, watch):
            client.end()
    yield at_most(1.75, "CPU of web, 1 reader, at 1 Hz", "ms/s", used[1][0], "watch -j", used[1][1])
    yield Row("CPU of web, no reader, at 1 Hz", "ms/s", used[0][0], "watch -j", used[0][1])
    yield at_most(4, "CPU of web, 40 readers, at 1 Hz", "ms/s", used[40][0], "1 reader", used[1][0])
    yield below(10, "memory of web, no reader", "MB", used[0][2], "watch -j", memory)
    yield below(10, "memory of web, 1 reader", "MB", used[1][2], "watch -j", memory)
    yield below(12, "memory of web, 40 readers", "MB", used[40][2], "watch -j", memory)
    yield Row("from the epoch to its event, median", "ms", latency.at(delays, 0.5), "", None)
