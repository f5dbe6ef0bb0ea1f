"""A client of NATS that is just large enough to set up streams and to read them."""
import contextlib
import json
import socket
import time

from lib.processes import Failure, wait


class Client:
    def __init__(self, port):
        self.port = port
        self.open()

    def open(self):
        self.socket = socket.create_connection(("127.0.0.1", self.port), timeout=20)
        self.file, self.inboxes = self.socket.makefile("rb"), 0
        self.file.readline()
        options = {"verbose": False, "pedantic": False, "headers": True, "no_responders": True, "lang": "python", "version": "1"}
        self.send(f"CONNECT {json.dumps(options)}\r\nPING\r\n".encode())
        while self.file.readline().strip() != b"PONG":
            pass

    def send(self, data):
        self.socket.sendall(data)

    def subscribe(self):
        """Subscribes to a new subject and returns it; `inboxes` is the number of the subscription."""
        self.inboxes += 1
        inbox = f"_INBOX.{id(self)}.{time.monotonic_ns()}.{self.inboxes}"
        self.send(f"SUB {inbox} {self.inboxes}\r\n".encode())
        return inbox

    def publish(self, subject, payload=b"", reply=""):
        self.send(f"PUB {subject} {reply} {len(payload)}\r\n".encode() + payload + b"\r\n")

    def message(self):
        """Waits for the next message and returns its subscription, subject, reply, status and payload."""
        while True:
            line = self.file.readline()
            if not line:
                raise Failure("the server has closed the connection")
            words = line.decode().split()
            if words[0] == "PING":
                self.send(b"PONG\r\n")
            elif words[0] == "MSG":
                payload = self.file.read(int(words[-1]) + 2)[:-2]
                return int(words[2]), words[1], words[3] if len(words) == 5 else "", "", payload
            elif words[0] == "HMSG":
                header, total = int(words[-2]), int(words[-1])
                data = self.file.read(total + 2)[:-2]
                status = data[:header].split(b"\r\n", 1)[0].decode().removeprefix("NATS/1.0").strip()
                return int(words[2]), words[1], words[3] if len(words) == 6 else "", status, data[header:]

    def request(self, subject, body=None):
        """Returns the answer to a request of JetStream's API, which a cluster without a leader does not answer."""
        self.socket.settimeout(3)
        inbox = self.subscribe()
        self.publish(subject, json.dumps(body).encode() if body is not None else b"", inbox)
        while True:
            to, _, _, status, payload = self.message()
            if to != self.inboxes:
                continue
            self.socket.settimeout(20)
            if status.startswith("503"):
                raise Failure("JetStream does not answer")
            answer = json.loads(payload)
            if "error" in answer:
                raise Failure(answer["error"].get("description", "unknown"))
            return answer

    def insist(self, subject, body=None):
        """Repeats a request until it succeeds: a cluster elects its leaders first."""
        why = None

        def answer():
            nonlocal why
            try:
                return self.request(subject, body)
            except (Failure, OSError) as failure:
                why = failure
                if isinstance(failure, OSError):
                    # A file cannot be read again after a timeout.
                    self.socket.close()
                    self.open()

        return wait(answer, lambda: f"fleet: {subject}: {why}", 60, 0.2)

    def add_stream(self, name, subjects, replicas):
        self.insist(f"$JS.API.STREAM.CREATE.{name}",
                    {"name": name, "subjects": subjects, "num_replicas": replicas, "storage": "file", "retention": "limits",
                     "max_age": 0, "discard": "old"})

    def add_consumer(self, stream, name, subject):
        self.insist(f"$JS.API.CONSUMER.DURABLE.CREATE.{stream}.{name}",
                    {"stream_name": stream, "config": {
                        "durable_name": name, "ack_policy": "explicit", "filter_subject": subject, "deliver_policy": "all",
                        "max_ack_pending": -1, "ack_wait": 60_000_000_000}})

    def information(self, stream):
        return self.insist(f"$JS.API.STREAM.INFO.{stream}")

    def fetch(self, stream, name):
        """Yields the subject and the payload of every message that a consumer has not acknowledged, and acknowledges it."""
        # After the death of a node a consumer can be without a leader, and then does not answer.
        self.insist(f"$JS.API.CONSUMER.INFO.{stream}.{name}")
        while True:
            inbox = self.subscribe()
            self.publish(f"$JS.API.CONSUMER.MSG.NEXT.{stream}.{name}", b'{"batch":500,"no_wait":true}', inbox)
            count = 0
            while count < 500:
                to, subject, reply, status, payload = self.message()
                if to != self.inboxes:
                    continue
                if status:
                    break
                yield subject, payload
                self.publish(reply, b"+ACK")
                count += 1
            if count == 0:
                return


@contextlib.contextmanager
def connection(port):
    client = Client(port)
    try:
        yield client
    finally:
        client.socket.close()
