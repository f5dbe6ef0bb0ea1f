"""The brokers under test, each in a temporary folder and on free ports of this machine."""
import contextlib
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time

import loopback


class Daemon:
    """A program with a folder of its own, which is ended and removed with it."""

    def __init__(self, name, port):
        self.name = name
        self.port = port
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix=f"locwatch-fleet-{name}-"))
        self.process = None

    def words(self):
        raise NotImplementedError

    def start(self):
        """Starts the program and waits until it accepts connections."""
        with open(self.folder / "output", "ab") as output:
            self.process = subprocess.Popen(self.words(), stdin=subprocess.DEVNULL, stdout=output, stderr=output)
        deadline = time.monotonic() + 30
        while True:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=5):
                return self
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise SystemExit(f"fleet: {self.name} does not run:\n{(self.folder / 'output').read_text()[-2000:]}")
            time.sleep(0.02)

    @property
    def pid(self):
        return self.process.pid

    @property
    def word(self):
        return f"mqtt://127.0.0.1:{self.port}"

    def kill(self):
        """Ends the program as a power cut would."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        if self.process and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


class Mosquitto(Daemon):
    """Debian's mosquitto, which queues without a limit unless told otherwise: its own limits drop messages silently."""

    def __init__(self, *lines, unlimited=True):
        super().__init__("mosquitto", loopback.free_port())
        # Started by root, it would become a user that cannot read the folder.
        own = [f"listener {self.port} 127.0.0.1", "allow_anonymous true", "log_type error", "log_type warning",
               "user root", "sys_interval 1"]
        if unlimited:
            own += ["max_inflight_messages 0", "max_queued_messages 0"]
        (self.folder / "mosquitto.conf").write_text("\n".join([*own, *lines]) + "\n")

    def words(self):
        return [needs("mosquitto"), "-c", self.folder / "mosquitto.conf"]


class NATSNode(Daemon):
    """One node of a cluster of nats-server with JetStream, which speaks MQTT too."""

    def __init__(self, name, route, routes, further):
        super().__init__(name, loopback.free_port())
        self.mqtt = loopback.free_port()
        self.port_of_routes = route
        lines = [f"server_name: {name}", f"listen: 127.0.0.1:{self.port}",
                 f'jetstream {{ store_dir: "{self.folder}/store" }}',
                 f"mqtt {{ listen: 127.0.0.1:{self.mqtt}, max_ack_pending: 65535, stream_replicas: {len(routes)} }}", *further]
        if len(routes) > 1:
            others = ", ".join(f"nats://127.0.0.1:{other}" for other in routes if other != route)
            lines.append(f"cluster {{ name: fleet, listen: 127.0.0.1:{route}, routes: [{others}] }}")
        (self.folder / "nats.conf").write_text("\n".join(lines) + "\n")

    def words(self):
        return [needs("nats-server"), "-c", self.folder / "nats.conf"]

    @property
    def word(self):
        return f"mqtt://127.0.0.1:{self.mqtt}"


@contextlib.contextmanager
def nats_cluster(count, *further):
    """Starts nodes that form a cluster, with further lines of their configuration, and yields them."""
    routes = [loopback.free_port() for _ in range(count)]
    nodes = [NATSNode(f"n{number + 1}", route, routes, further) for number, route in enumerate(routes)]
    with contextlib.ExitStack() as stack:
        for node in nodes:
            stack.enter_context(node)
        yield nodes


def needs(name):
    """Returns the path of a required program."""
    path = shutil.which(name) or shutil.which(name, path="/usr/sbin:/sbin")
    if path is None:
        raise SystemExit(f"fleet: {name} is missing: run 'Tools/setup/install-dependencies fleet'")
    return path
