"""mosquitto and NATS in temporary folders and on free ports, a relay whose network can be cut, and a server for HTTP."""
import contextlib
import http.server
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import threading
import urllib.request

from . import processes
from .processes import free_port, needs


def target(port):
    return f"mqtt://127.0.0.1:{port}"


class Daemon:
    """A program with a folder of its own, which is ended and removed with it."""

    def __init__(self, name):
        self.name, self.port = name, free_port()
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix=f"locwatch-{name}-"))
        self.configuration = self.folder / f"{name}.conf"
        self.process, self.word = None, target(self.port)

    def start(self):
        """Starts the program and waits until it accepts connections."""
        self.process = processes.started([needs(self.program), "-c", self.configuration], log=self.folder / "output")
        try:
            processes.await_port(self.port, process=self.process)
        except processes.Failure:
            raise processes.Failure(f"{self.name} does not run:\n{(self.folder / 'output').read_text()[-2000:]}") from None
        return self

    def kill(self):
        """Ends the program as a power cut would."""
        self.process.kill()
        self.process.wait()

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        if self.process:
            processes.end(self.process)
        shutil.rmtree(self.folder, ignore_errors=True)


class Mosquitto(Daemon):
    """Debian's mosquitto, which queues without a limit unless told otherwise: its own limits drop messages silently."""
    program = "mosquitto"

    def __init__(self, *lines):
        super().__init__("mosquitto")
        # Started by root, it would become a user that cannot read the folder.
        own = [f"listener {self.port} 127.0.0.1", "allow_anonymous true", "log_type error", "log_type warning", "user root",
               "sys_interval 1", "max_inflight_messages 0", "max_queued_messages 0", f"persistence_location {self.folder}/", *lines]
        self.configuration.write_text("\n".join(own) + "\n")

    def add_encryption(self):
        """Adds an encrypted port, and returns it with the certificate of its authority."""
        port, certificate, key = free_port(), self.folder / "certificate", self.folder / "key"
        subprocess.run(
            [needs("openssl"), "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
             "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate],
            check=True, stderr=subprocess.DEVNULL)
        with open(self.configuration, "a") as file:
            file.write(f"listener {port} 127.0.0.1\ncertfile {certificate}\nkeyfile {key}\n")
        return port, certificate


def subscriber(port, topic, take, *options):
    """Returns a block with mosquitto_sub, whose session the broker keeps: nothing is missed that is published from now on."""
    words = [needs("mosquitto_sub"), "-p", port, "-i", "reader", "-c", "-q", "1", "-t", topic]
    processes.told(*words, "-E", timeout=30)
    return processes.reading(take, *words, *options)


class NATSNode(Daemon):
    """One node of a cluster of nats-server with JetStream, which speaks MQTT too."""
    program = "nats-server"

    def __init__(self, name, route, routes):
        super().__init__(name)
        self.mqtt, self.monitor = free_port(), free_port()
        self.word = target(self.mqtt)
        others = ", ".join(f"nats://127.0.0.1:{other}" for other in routes if other != route)
        lines = [f"server_name: {name}", f"listen: 127.0.0.1:{self.port}", f"http: 127.0.0.1:{self.monitor}",
                 f'jetstream {{ store_dir: "{self.folder}/store" }}',
                 f"mqtt {{ listen: 127.0.0.1:{self.mqtt}, max_ack_pending: 65535, stream_replicas: {len(routes)} }}",
                 f"cluster {{ name: fleet, listen: 127.0.0.1:{route}, routes: [{others}] }}"]
        self.configuration.write_text("\n".join(lines) + "\n")

    def leader(self):
        """Returns the name of the node that leads the stream of what NATS acknowledges to clients of MQTT, if there is one."""
        with contextlib.suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{self.monitor}/jsz?streams=1", timeout=5) as answer:
            for account in json.load(answer).get("account_details", []):
                for stream in account.get("stream_detail", []):
                    if stream["name"] == "$MQTT_msgs":
                        return stream.get("cluster", {}).get("leader", self.name)
        return None


@contextlib.contextmanager
def nats_cluster(count):
    """Starts nodes that form a cluster, and yields them."""
    routes = [free_port() for _ in range(count)]
    nodes = [NATSNode(f"n{number + 1}", route, routes) for number, route in enumerate(routes)]
    with contextlib.ExitStack() as stack:
        for node in nodes:
            stack.enter_context(node)
        yield nodes


class Relay:
    """A relay in front of a broker, by socat, whose network can be cut."""

    def __init__(self, port):
        self.target, self.port, self.process = port, free_port(), None
        self.word = target(self.port)
        self.mend()

    def cut(self):
        """Resets every connection and refuses new ones."""
        if self.process:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.process = None

    def mend(self):
        if not self.process:
            # Without lingering a connection ends with a reset.
            self.process = processes.started(
                [needs("socat"), f"TCP-LISTEN:{self.port},bind=127.0.0.1,fork,reuseaddr,backlog=4096,linger=0",
                 f"TCP:127.0.0.1:{self.target},linger=0"], start_new_session=True)
            processes.await_port(self.port, process=self.process)


class Acceptor(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def http_acceptor():
    """Runs a server that accepts every request, and yields a target at it."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Acceptor) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
