"""A free port of this machine, and a recording that is served there: for the scripts beside this one."""

import contextlib
import pathlib
import socket
import subprocess

SESSION = pathlib.Path(__file__).resolve().parent.parent / "Fixtures/walk/session.json"


def free_port():
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        return server.getsockname()[1]


@contextlib.contextmanager
def served(program, *options):
    """A port at which the program plays a recording over and over."""
    port = free_port()
    server = subprocess.Popen(
        [program, "serve", "--loop", "--redate", *options, "--port", str(port), SESSION],
        stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        server.stderr.readline()  # It says so as soon as it listens.
        yield port
    finally:
        server.terminate()
        server.wait()
        server.stderr.close()
