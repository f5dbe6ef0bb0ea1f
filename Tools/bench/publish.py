"""`locwatch publish`: CPU time, memory, the time to the broker, and the speed with which a backlog drains."""
import contextlib
import http.server
import os
import pathlib
import re
import socket
import subprocess
import tempfile
import threading
import time

import latency
import loopback
import programs
import rig
from table import Row, at_most, below

TOPIC = "locwatch/boat"


class Broker:
    """mosquitto with a plain and an encrypted port."""

    def __init__(self, folder):
        self.folder, self.port, self.tls = folder, loopback.free_port(), loopback.free_port()
        self.authority = folder / "certificate"
        subprocess.run(
            [programs.needs("openssl"), "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
             "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
             "-keyout", folder / "key", "-out", self.authority], check=True, stderr=subprocess.DEVNULL)
        (folder / "configuration").write_text(
            f"user root\nallow_anonymous true\nmax_inflight_messages 0\nmax_queued_messages 0\n"
            f"listener {self.port} 127.0.0.1\nlistener {self.tls} 127.0.0.1\n"
            f"certfile {self.authority}\nkeyfile {folder / 'key'}\n")
        self.process = subprocess.Popen(
            [programs.needs("mosquitto"), "-c", folder / "configuration"], stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        loopback.await_port(self.port)

    def target(self, name=TOPIC):
        return f"mqtt://127.0.0.1:{self.port}/{name}"

    def end(self):
        self.process.kill()
        self.process.wait()


@contextlib.contextmanager
def broker():
    with tempfile.TemporaryDirectory() as name:
        running = Broker(pathlib.Path(name))
        try:
            yield running
        finally:
            running.end()


class Acceptor(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *words):
        pass


def publish(folder, source, *words):
    return [programs.ours(), "publish", "-q", "--queue", str(folder), *words, source]


def measure(options):
    with broker() as running:
        yield from live(options, running)
        yield from drain(options, running)
    yield append(options)


def live(options, running):
    """Follows one gpsd at ten epochs a second with `watch` and with each kind of target."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Acceptor)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    seconds, folder = options.epochs / 10, running.folder
    with rig.daemon() as (port, receiver):
        source = f"localhost:{port}"
        printed, arrived = latency.Clock(b'"event":"location"'), latency.Clock(b'"lat"')
        reader = rig.Client([programs.needs("mosquitto_sub"), "-p", str(running.port), "-t", TOPIC], arrived.line)
        clients = {
            "watch -j": rig.Client(rig.watch(port), printed.line),
            "mqtt": rig.Client(publish(folder / "plain", source, running.target())),
            "mqtts": rig.Client(publish(
                folder / "tls", source, f"mqtts://localhost:{running.tls}/{TOPIC}/tls?ca-file={running.authority}")),
            "http": rig.Client(publish(folder / "http", source, f"http://127.0.0.1:{server.server_port}/")),
        }
        time.sleep(seconds)
        memory = {name: client.memory for name, client in clients.items()}
        cpu = {name: client.end().cpu * 1000 for name, client in clients.items()}
        reader.end()
        times = receiver.times
    server.shutdown()
    yield at_most(1.5, f"CPU of {options.epochs} epochs published", "ms", cpu["mqtt"], "watch -j", cpu["watch -j"])
    yield below(7.5, "memory while publishing by MQTT", "MB", memory["mqtt"], "watch -j", memory["watch -j"])
    yield below(11, "memory while publishing by MQTT with TLS", "MB", memory["mqtts"], "watch -j", memory["watch -j"])
    yield below(14, "memory while publishing by HTTP", "MB", memory["http"], "watch -j", memory["watch -j"])
    line, message = (sorted(1e3 * delay for delay in clock.delays(times)) for clock in (printed, arrived))
    late = latency.at(message, 0.5) - latency.at(line, 0.5)
    yield below(1, "epoch to subscriber over epoch to line, median", "ms", late)


def drive(path, count):
    """Writes a recording of this many positions, ten per second."""
    with open(path, "w") as file:
        file.write('{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}\n')
        for number in range(count):
            seconds, tenth = divmod(number, 10)
            minutes, second = divmod(seconds, 60)
            hours, minute = divmod(minutes, 60)
            day, hour = divmod(hours, 24)
            file.write(
                f'{{"class":"TPV","device":"/dev/ttyACM0","mode":3,"time":"2026-11-{day + 1:02}T{hour:02}:{minute:02}:'
                f'{second:02}.{tenth}00Z","lat":{45 + number / 1e7:.7f},"lon":7.0,"altMSL":239.4,"eph":3.0,"speed":1.0,'
                '"track":77.5}\n')


def size(folder):
    return sum(path.stat().st_size for path in folder.glob("*.log"))


LIMITS = ["--queue-limit", "4GiB", "--backlog-rate", "unlimited"]


def fill(queue, recording):
    """Fills a queue while no broker accepts; returns the target, its port, and the memory of the program at the end."""
    port = loopback.free_port()
    server = subprocess.Popen(
        [programs.ours(), "serve", "--pace", "max", "--port", str(port), recording], stderr=subprocess.PIPE)
    server.stderr.readline()
    # A port that is bound and does not listen refuses connections, and no other program gets it.
    holder = socket.socket()
    holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    holder.bind(("127.0.0.1", 0))
    holder_port = holder.getsockname()[1]
    target = f"mqtt://127.0.0.1:{holder_port}/{TOPIC}"
    filler = subprocess.Popen(
        publish(queue, f"localhost:{port}", *LIMITS, "--no-reconnect", target), stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL)
    before = -1
    while (now := size(queue)) != before or now == 0:
        before = now
        time.sleep(1)
    filled = memory_of(filler)
    # SIGINT is ignored by what a script starts in the background.
    filler.terminate()
    filler.wait()
    server.kill()
    server.wait()
    server.stderr.close()
    holder.close()
    return target, holder_port, filled


def drain(options, running):
    """Fills a queue while the broker does not accept, and then sends it."""
    recording, short, queue = running.folder / "drive.json", running.folder / "short.json", running.folder / "backlog"
    drive(recording, options.backlog)
    drive(short, 1)
    target, holder_port, filled = fill(queue, recording)
    later = subprocess.Popen(
        [programs.needs("mosquitto"), "-p", str(holder_port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        loopback.await_port(holder_port)
        began = time.monotonic()
        process = subprocess.Popen(
            publish(queue, str(short), *LIMITS, "-j", target), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        # The maximum that the system counts includes that of Python before the program begins.
        most = 0
        while os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
            most = max(most, memory_of(process))
            time.sleep(0.05)
        output = process.stdout.read().decode()
        cost = programs.reap(process)
        seconds = time.monotonic() - began
    finally:
        later.kill()
        later.wait()
    sent = max((int(found) for found in re.findall(r'"sent":(\d+)', output)), default=0)
    speed = sent / seconds
    yield Row(f"drain of {sent} records", "1/s", speed, "", None, "≥ 20000 1/s", speed >= 20_000)
    yield below(12, "most memory in it", "MB", most)
    yield below(12, "memory with that many queued", "MB", filled)
    yield Row("CPU of a record in it", "µs", 1e6 * cost.cpu / max(1, sent), "", None)


def memory_of(process):
    found = re.search(r"VmRSS:\s+(\d+)", pathlib.Path(f"/proc/{process.pid}/status").read_text())
    return int(found[1]) / 1024 if found else 0  # An ended process has no memory.


def append(options):
    """The time of appending a record to a queue."""
    def seconds():
        with tempfile.TemporaryDirectory() as folder:
            told = programs.told([programs.bench(), "bench-append", str(options.backlog), os.path.join(folder, "queue")])
            return told["seconds"] / told["count"]

    [best] = programs.in_turn(options.rounds, seconds)
    return below(1, "append to the queue", "µs", 1e6 * best)
