"""A free port of this machine and a server of a recording, for the scripts in this folder."""

import contextlib
import pathlib
import socket
import subprocess
import time

SESSION = pathlib.Path(__file__).resolve().parents[2] / "Fixtures/walk/session.json"


def free_port():
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        return server.getsockname()[1]


@contextlib.contextmanager
def served(program, *options):
    """Serves a recording in a loop and yields the port."""
    port = free_port()
    server = subprocess.Popen(
        [program, "serve", "--loop", "--redate", *options, "--port", str(port), SESSION],
        stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        server.stderr.readline()  # Printed as soon as the server listens.
        yield port
    finally:
        server.terminate()
        server.wait()
        server.stderr.close()


def await_port(port, limit=30):
    """Waits until a server accepts connections."""
    end = time.monotonic() + limit
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.01)
