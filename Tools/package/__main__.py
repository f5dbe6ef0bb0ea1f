#!/usr/bin/env python3
"""Checks the Debian package as a distribution and an administrator do. Usage: package [RELEASE]...      (bookworm trixie)

lintian, the same bytes twice, and for each release: the bare package names what it lacks, works with what it recommends, and its services
are installed, upgraded, removed and purged in a booted system; a container is built from it. Needs root, and Debian's mirror the first time.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import container  # noqa: E402
import services  # noqa: E402
from lib import ROOT  # noqa: E402
from lib.processes import Failure, require  # noqa: E402

RELEASES = ["bookworm", "trixie"]
# What each command says without a recommended package, which is then installed by that name.
LACKING = [
    ("locwatch once -t 5s sim:walk", "gpsd"),
    ("locwatch stats /root/walk.nmea", "gpsd-clients"),
    ("locwatch stats /root/walk.gpx", "libexpat1"),
    ("locwatch publish --queue memory mqtt://127.0.0.1/owntracks/anna/boat /root/walk.json", "libmosquitto1"),
    ("locwatch publish --queue memory http://127.0.0.1:1/ /root/walk.json", "libcurl4"),
    ("locwatch web --port 8081", "libmicrohttpd12"),
]


def built():
    subprocess.run([ROOT / "Tools/build/build-deb"], check=True, stdout=subprocess.DEVNULL)
    [package] = (ROOT / "dist").glob("locwatch_*.deb")
    return package


def lintian(package):
    said = subprocess.run(
        ["lintian", "--pedantic", "--display-info", "--fail-on=none", "--allow-root", package], check=True, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    require(not said, said)
    return "nothing at pedantic level"


def reproducible(package):
    first = package.read_bytes()
    require(built().read_bytes() == first, "two builds differ")
    return f"{len(first)} bytes twice"


def older(package, folder):
    """Returns the same package with a lower version."""
    tree = pathlib.Path(folder) / "older"
    subprocess.run(["dpkg-deb", "--raw-extract", package, tree], check=True)
    control = tree / "DEBIAN/control"
    control.write_text("".join(
        f"{line.rstrip()}~older\n" if line.startswith("Version:") else line for line in control.read_text().splitlines(keepends=True)))
    file = pathlib.Path(folder) / "older.deb"
    subprocess.run(["dpkg-deb", "--root-owner-group", "-Zgzip", "--build", tree, file], check=True, stdout=subprocess.DEVNULL)
    return file


def bare(tree, package):
    """Installs the package alone, and what it recommends by the names that its messages give."""
    program = ROOT / "dist/locwatch"
    recording = tree.copy(ROOT / "Fixtures/walk/session.json")
    shutil.move(tree.folder / recording.lstrip("/"), tree.folder / "root/walk.json")
    for format in ("nmea", "gpx"):
        subprocess.run(
            [program, "export", format, "-o", tree.folder / f"root/walk.{format}", ROOT / "Fixtures/walk/session.json"],
            check=True, stderr=subprocess.DEVNULL)
    # mosquitto's library is there with the broker of the other checks.
    tree.shell("apt-get purge --yes mosquitto mosquitto-clients libmosquitto1 curl "
               "$(dpkg-query --show --showformat '${binary:Package} ' 'libcurl4*')")
    before = tree.files()
    tree.run("apt-get", "install", "--yes", "--no-install-recommends", package)
    tree.run("locwatch", "stats", "/root/walk.json")
    named = []
    for command, name in LACKING:
        said = tree.try_("sh", "-c", command)
        if tree.try_("dpkg-query", "--show", "--showformat=${db:Status-Status}", name).stdout == "installed":
            continue
        require(said.returncode in (66, 69) and name in said.stdout, f"{command} does not name {name}:\n{said.stdout}")
        named.append(name)
    tree.run("apt-get", "purge", "--yes", "locwatch")
    after = tree.files()
    require(before == after, f"changed: {sorted(n for n in before.keys() | after.keys() if before.get(n) != after.get(n))}")
    tree.run("apt-get", "update")
    tree.run("apt-get", "install", "--yes", "--no-install-recommends", package, *(name for _, name in LACKING), "curl", "mosquitto", "mosquitto-clients")
    require("45.0" in tree.run("locwatch", "once", "-t", "30s", "sim:walk"), "no position of sim:walk")
    for name in ("nmea", "gpx"):
        require("Positions" in tree.run("locwatch", "stats", f"/root/walk.{name}"), f"no statistics of walk.{name}")
    tree.shell("locwatch web --quiet --port 8081 /root/walk.json & trap 'kill $!' EXIT; "
               "curl --silent --fail --retry 20 --retry-connrefused --retry-delay 1 http://127.0.0.1:8081/metrics >/dev/null")
    return "named " + ", ".join(named)


def image(release, package):
    """Builds the container file over a tree of a release, and runs the program in it."""
    if not shutil.which("buildah"):
        return "not tried: install buildah"
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        options = ["--root", f"{folder}/images", "--runroot", f"{folder}/run", "--storage-driver", "vfs"]

        def buildah(*words):
            done = subprocess.run(["buildah", *options, *words], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            require(done.returncode == 0, f"buildah {words[0]}:\n{done.stdout}")
            return done.stdout.strip()

        base = buildah("from", "scratch").splitlines()[-1]
        buildah("add", base, container.archive(release), "/")
        buildah("commit", "--quiet", base, "debian-tree")
        buildah("bud", "--isolation", "chroot", "--build-arg", "BASE=localhost/debian-tree", "--tag", "locwatch",
                "--file", str(ROOT / "Packaging/Containerfile"), str(package.parent))
        made = buildah("from", "locwatch").splitlines()[-1]
        told = buildah("run", "--isolation", "chroot", made, "--", "sh", "-c", "id -un; locwatch once -t 30s sim:walk")
        require(told.startswith("locwatch\n") and "45.0" in told, told)
        return "the program runs as the user locwatch"


def main():
    if os.geteuid() != 0:
        sys.exit("package: root is needed for containers")
    releases = sys.argv[1:] or RELEASES
    failed = False

    def step(name, check, *arguments):
        nonlocal failed
        start = time.monotonic()
        try:
            word, text = "ok  ", check(*arguments)
        except Failure as failure:
            failed = True
            word, text = "FAIL", failure
        print(f"{word}  {name}: {text} ({time.monotonic() - start:.0f} s)", flush=True)

    package = built()
    step("lintian", lintian, package)
    step("reproducible", reproducible, package)
    with tempfile.TemporaryDirectory() as folder:
        earlier = older(package, folder)
        for release in releases:
            with container.extracted(release) as tree:
                step(f"{release}, alone", bare, tree, tree.copy(package))
            with container.extracted(release) as tree:
                names = [tree.copy(file) for file in (earlier, package)]

                def life(tree=tree, names=names, release=release):
                    # What the program opens at run time, and the receiver of the service.
                    tree.run("apt-get", "update")
                    tree.run("apt-get", "install", "--yes", "--no-install-recommends", "gpsd", "libmosquitto1", "libmicrohttpd12")
                    with container.booted(tree, f"locwatch-{release}") as system:
                        return services.check(system, *names)

                step(f"{release}, booted", life)
            step(f"{release}, container", image, release, package)
    sys.exit(failed)


main()
