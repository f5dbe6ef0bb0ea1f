"""The cost of a broker for each message, each connection, each handshake and each queued message, measured and fitted."""
import contextlib
import socket
import ssl
import time

import rig
from lib import mqtt
from lib.brokers import Mosquitto, nats_cluster
from lib.processes import used

SECONDS = 20


def fitted(points):
    """Returns the intercept and the slope of the line with the least squares."""
    count = len(points)
    x, y = (sum(point[axis] for point in points) / count for axis in (0, 1))
    slope = sum((a - x) * (b - y) for a, b in points) / sum((a - x) ** 2 for a, _ in points)
    return y - slope * x, slope


def measured(start, counts):
    """Loads a fresh broker with each number of devices, 1 Hz and QoS 1, and prints a table and what was fitted."""
    print("  devices  CPU %  empty MB  connected MB  loaded MB  connect CPU s  p50 ms  p99 ms")
    rows = []
    for devices in counts:
        with start() as nodes:
            row = rig.run([node.word for node in nodes], devices=devices, seconds=SECONDS, no_retain=True,
                                pid=[node.pid for node in nodes])
        rows.append(row)
        print(f"{devices:9,}  {row['broker_cpu_percent']:5.1f}  {row['broker_empty_mb']:8.1f}  "
              f"{row['broker_connected_mb']:12.1f}  {row['broker_loaded_mb']:9.1f}  {row['broker_connect_cpu_s']:13.2f}  "
              f"{row['latency_p50_ms']:6.2f}  {row['latency_p99_ms']:6.1f}" + ("" if row["lost"] == 0 else
                                                                              f"  lost {row['lost']}"), flush=True)
    _, percent = fitted([(row["devices"], row["broker_cpu_percent"]) for row in rows])
    _, memory = fitted([(row["devices"], row["broker_loaded_mb"] - row["broker_empty_mb"]) for row in rows])
    _, connect = fitted([(row["devices"], row["broker_connect_cpu_s"]) for row in rows])
    print(f"  fitted: {percent * 1e4:.0f} µs of CPU for a message (in, acknowledged, and out to one consumer), "
          f"{memory * 1e3:.1f} kB and {connect * 1e6:.0f} µs of CPU for a connection\n", flush=True)


@contextlib.contextmanager
def mosquitto():
    with Mosquitto() as broker:
        yield [broker]


def encrypted(count=1000):
    """Measures the handshakes and the memory of encrypted connections."""
    broker = Mosquitto(unlimited=True)
    port, certificate = broker.add_encryption()
    context = ssl.create_default_context(cafile=certificate)
    with broker:
        before, connections = used([broker.pid]), []
        start = time.monotonic()
        for number in range(count):
            connection = context.wrap_socket(socket.create_connection(("127.0.0.1", port)), server_hostname="localhost")
            connection.sendall(mqtt.connect(b"tls%d" % number))
            connection.recv(4)
            connections.append(connection)
        elapsed = time.monotonic() - start
        after = used([broker.pid])
        for connection in connections:
            connection.close()
    print(f"TLS 1.3 with a key on P-256 to mosquitto, {count:,} connections in turn: {elapsed / count * 1e3:.1f} ms each, "
          f"{(after[0] - before[0]) / count * 1e3:.2f} ms of the broker's CPU, "
          f"{(after[1] - before[1]) / 1e3 / count:.1f} kB each\n", flush=True)


def queued(devices=1000):
    """Measures the memory of a message that a consumer has not fetched."""
    with Mosquitto() as broker:
        row = rig.run([broker.word], devices=devices, seconds=SECONDS, pid=broker.pid, no_retain=True,
                            keep_sessions=True, end_consumer=1, return_consumer=SECONDS - 1)
    count = devices * (SECONDS - 2)
    print(f"mosquitto, {count:,} messages queued for a consumer: "
          f"{(row['broker_loaded_mb'] - row['broker_connected_mb']) * 1e6 / count:.0f} bytes each, {row['lost']} lost\n")


def run(is_short):
    counts = (30, 100) if is_short else (100, 300, 1000, 3000, 10_000)
    print("mosquitto, QoS 1, 1 Hz, one consumer")
    measured(mosquitto, counts)
    counts = (30, 100) if is_short else (100, 200, 400, 800)
    print("one NATS node with JetStream, QoS 1, 1 Hz, one consumer")
    measured(lambda: nats_cluster(1), counts)
    print("three NATS nodes with JetStream, three replicas, QoS 1, 1 Hz, one consumer; the sum of the nodes")
    measured(lambda: nats_cluster(3), counts)
    encrypted(100 if is_short else 1000)
    queued(100 if is_short else 1000)
