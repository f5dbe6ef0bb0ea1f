import json
import socket
import subprocess

import pytest


class Gpsd:
    """A stand-in for gpsd, in which time passes only when the test says so."""

    def __init__(self, control, source="sim:walk", *options):
        self.control = str(control)
        self.process = subprocess.Popen(
            ["locwatch", "serve", "-q", "--port", "0", "--print-port", "--pace", "manual",
             "--control", self.control, *options, source], stdout=subprocess.PIPE, text=True)
        self.port = self.process.stdout.readline().strip()

    def __call__(self, words):
        """Performs a command such as `step 10s` or `jump 3km`, and returns its answer."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(self.control)
            connection.sendall(f"{words}\n".encode())
            answer = json.loads(connection.makefile().readline())
        assert answer["ok"], answer["error"]
        return answer

    def stop(self):
        self.process.terminate()
        self.process.wait()


@pytest.fixture
def gpsd(tmp_path):
    daemon = Gpsd(tmp_path / "control")
    yield daemon
    daemon.stop()
