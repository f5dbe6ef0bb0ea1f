#!/usr/bin/env python3
"""Runs the commands of Examples/fleet/README.md as they are, in a booted Debian 12, from a folder that only its owner can read.

The machine is prepared as the text supposes: a gpsd, here one that plays a recording, and the name of the broker. Needs root, and Debian's
mirror the first time.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import container  # noqa: E402
from container import wait  # noqa: E402
from lib import ROOT  # noqa: E402
from lib.processes import Failure, require  # noqa: E402

FOLDER = "/home/anna/fleet"
PACKAGES = ["mosquitto", "mosquitto-clients", "postgresql", "postgresql-15-postgis-3", "nats-server", "sudo", "openssl", "python3",
            "gpsd", "gpsd-clients", "libcurl4", "libexpat1"]
# A command that runs until it is ended, and what it prints meanwhile; the others end by themselves.
LASTING = [
    (r"locwatch publish", "connected"),
    (r"locwatch devices --follow", "truck1"),
    (r"locwatch --device", "truck1"),
    (r"locwatch watch -j", None),
    (r"mosquitto_sub .* postgis/store", None),
    (r"alarms/dropped", None),
]


def commands():
    """Yields the commands of the text, each with its continued lines."""
    text = (ROOT / "Examples/fleet/README.md").read_text().replace("\\\n", "")
    for block in re.findall(r"(?:^    .*\n)+", text, re.MULTILINE):
        if "→" not in block:
            # One shell runs a block, because its lines belong together.
            yield [line[4:] for line in block.splitlines()]


def positions(system):
    return int(system.try_("psql", "fleet", "-tAc", "select count(*) from fix where device like '%truck1'").stdout.strip() or 0)


class Steps:
    def __init__(self, system):
        self.system = system
        self.lasting = []

    def bash(self, lines):
        return self.system.run("bash", "-euc", f"cd {FOLDER}; " + "\n".join(lines))

    def start(self, line, shown):
        """Starts a command that lasts, and waits for what it prints."""
        output = f"/root/output-{len(self.lasting)}"
        self.lasting.append((line, subprocess.Popen(
            [*self.system.enter, "bash", "-c", f"cd {FOLDER}; exec >{output} 2>&1; {line}"], env=container.ENVIRONMENT,
            stdin=subprocess.DEVNULL)))
        path = self.system.folder / output[1:]
        # The first one is the vehicle.
        if shown:
            wait(lambda: path.exists() and shown in path.read_text(), lambda: f"{line} does not print {shown}:\n{path.read_text()}")

    def run(self):
        count = 0
        for block in commands():
            rest = []
            for line in block:
                lasting = next((shown for pattern, shown in LASTING if re.search(pattern, line)), 0)
                if lasting == 0:
                    rest.append(line)
                    continue
                if rest:
                    self.bash(rest)
                rest = []
                if "nats" not in line:
                    before = positions(self.system) if "store" in line else 0
                    self.start(line, lasting)
                    if "postgis/store" in line:
                        wait(lambda before=before: positions(self.system) > before, f"{line} stores nothing")
            if any("nats-server" in line for line in rest):
                # NATS is for machines without mosquitto.
                self.system.run("systemctl", "stop", "mosquitto")
            if rest:
                # apt has installed the packages before, because the container has no network; it finds nothing to do.
                self.bash([line.replace("apt install", "apt-get install --yes --no-install-recommends") for line in rest])
            count += len(block)
        for line, process in self.lasting:
            require(process.poll() is None or "nats" in line, f"{line} has ended with {process.poll()}")
        return count


def main():
    [package] = (ROOT / "dist").glob("locwatch_*.deb")
    start = time.monotonic()
    with container.extracted("bookworm", "fleet", *PACKAGES) as tree:
        package = tree.copy(package)
        shutil.copytree(ROOT / "Examples/fleet", tree.folder / FOLDER[1:])
        (tree.folder / "home/anna").chmod(0o700)
        tree.copy(ROOT / "Fixtures/walk/session.json")
        with container.booted(tree, "locwatch-fleet") as system:
            system.run("apt-get", "install", "--yes", "--no-install-recommends", package)
            system.run("systemctl", "stop", "gpsd.socket", "gpsd.service")
            system.run("systemd-run", "--unit", "played", "locwatch", "serve", "--loop", "--redate", "--port", "2947", "/root/session.json")
            system.shell("echo '127.0.0.1 localhost broker.example' >/etc/hosts")
            try:
                steps = Steps(system)
                count = steps.run()
                wait(lambda: "active" == system.try_("systemctl", "is-active", "nats-server").stdout.strip(), "nats-server does not run")
                wait(lambda: ":1883" in system.run("ss", "-tln") or "Waiting for" in system.run("journalctl", "-u", "nats-server"),
                     lambda: system.run("journalctl", "-u", "nats-server"))
            except Failure as failure:
                sys.exit(f"check-fleet: {failure}")
    print(f"ok    {count} commands of Examples/fleet ({time.monotonic() - start:.0f} s)")


main()
