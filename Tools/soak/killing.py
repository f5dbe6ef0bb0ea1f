"""The other modes of the soak: a program that is killed again and again in the middle of its work.

`publish` reads numbered positions from a pipe and sends them and what earlier runs have left in the queue to mosquitto. The checks after
each run, and at the end:

- a run takes the positions that it is given in order, so that what arrives of them is the first ones without a gap,
- every record that was in the queue arrives, and nothing else,
- the database of the queue is whole, and a position that it counts as taken is not sent again,
- of the positions that arrive during a run, the cursor lacks at most those that were in flight when it was killed.

`tracks` logs a receiver that reports 200 epochs a second, in each format. After each kill readers that are not of this project read the
file: they find every point that they found before, and none twice, or the file has one torn point at its end. The next start removes
that, so that the file can be read again.
"""
import contextlib
import pathlib
import random
import signal
import sqlite3
import subprocess
import tempfile
import threading
import time

from lib import ROOT, receivers
from lib.brokers import Mosquitto, Subscriber
from lib.processes import require, started, told, wait
from receiver import latitude
from servers import Arrivals

TOPIC = "owntracks/anna/boat"
# The messages that a connection sends before it waits for an acknowledgement.
IN_FLIGHT = 20
# The seconds after which a missing message counts as lost.
LIMIT = 120
# The time of the first position.
START = 1_795_132_800
OPENING = receivers.VERSION + (
    '{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/ttyACM0","driver":"u-blox",'
    '"activated":"2026-11-20T00:00:00.000Z","cycle":1.00}]}\n')

ORACLE = ROOT / "Tests/Oracles/read_track.py"
READERS = {
    "gpx": ["gpxpy", "gdal", "gpsbabel-gpx"], "geojson": ["json", "gdal"], "kml": ["gpsbabel-kml", "gdal"], "csv": ["csv"],
    "nmea": ["gpsdecode"], "json": ["tpv"],
}
KILLS_PER_FILE = 10


class BrokerLog:
    """The log of mosquitto, as far as it tells which clients are connected."""

    def __init__(self, path):
        self.file, self.connections = open(path), 0

    def is_disconnected(self):
        for text in self.file:
            self.connections += " as publisher " in text
            self.connections -= "lient publisher" in text and " as publisher" not in text
        return not self.connections


class Queue:
    """What a killed program has left in its queue: the number of records that were ever appended, and which of them count as taken."""

    def __init__(self, folder):
        self.appended, self.next, self.ahead = 0, 0, []
        path = folder / "queue.sqlite"
        if not path.exists():
            return
        with contextlib.closing(sqlite3.connect(path)) as database:
            # A killed program may have created the file only.
            if not database.execute("SELECT count(*) FROM sqlite_master WHERE name = 'targets'").fetchone()[0]:
                return
            whole, = database.execute("PRAGMA integrity_check").fetchone()
            require(whole == "ok", f"the database of the queue is damaged: {whole}")
            newest, = database.execute("SELECT max(number) FROM records").fetchone()
            for self.next, ahead in database.execute("SELECT next, ahead FROM targets"):
                self.ahead = [tuple(map(int, pair.split("-"))) for pair in ahead.split()]
        self.appended = max(newest or 0, self.next - 1, *(last for _, last in self.ahead), 0)

    def has_taken(self, record):
        return record < self.next or any(first <= record <= last for first, last in self.ahead)


class Publishing:
    """The runs of a publisher to a broker, and a subscriber, which gets marks too."""

    def __init__(self, program, folder, broker, seed):
        self.folder, self.random, self.broker = folder / "queue", random.Random(seed), broker
        self.words = [program, "publish", "-q", "--queue", self.folder, "--backlog-rate", "unlimited", f"{broker.word}/{TOPIC}", "-"]
        self.arrivals, self.marked = Arrivals(), 0
        self.subscriber = Subscriber(broker.port, TOPIC, self.take, "-i", "reader")
        self.log = BrokerLog(broker.folder / "log")
        wait(lambda: "reader 1 owntracks" in (broker.folder / "log").read_text(), "mosquitto_sub does not subscribe", LIMIT, 0.01)
        # The numbers that each run was given, the number of each position's record in the queue, and what the last run has left.
        self.given, self.records, self.queue = [], {}, Queue(self.folder)
        self.failures, self.most_in_flight = [], 0

    def take(self, line):
        if line == "mark\n":
            self.marked += 1
        else:
            self.arrivals.add(line)

    def catch_up(self):
        """Waits until everything that the publisher had sent has arrived."""
        wait(self.log.is_disconnected, "mosquitto does not end the connection of a killed program", LIMIT, 0.001)
        wanted = self.marked + 1
        told("mosquitto_pub", "-p", self.broker.port, "-q", "1", "-t", TOPIC, "-m", "mark")
        wait(lambda: self.marked >= wanted, "mosquitto_sub does not get what the broker has", LIMIT, 0.001)

    def verify(self, holds, text):
        if not holds:
            self.failures.append(f"run {len(self.given)} {text}")

    def run(self, is_killed=True):
        first, count = sum(map(len, self.given)) + 1, self.random.randint(1, 400)
        self.given.append(range(first, first + count))
        before = len(self.arrivals.numbers)
        self.records |= {number: self.queue.appended + 1 + index for index, number in enumerate(self.given[-1])}
        with tempfile.TemporaryFile() as errors, subprocess.Popen(self.words, stdin=subprocess.PIPE, stderr=errors) as process:
            feeder = threading.Thread(target=feed, args=(process.stdin, self.given[-1]), daemon=True)
            feeder.start()
            if is_killed:
                # After some messages, and then at any moment; some runs are killed before they are connected.
                wanted = before + self.random.randint(0, count)
                limit = time.monotonic() + self.random.uniform(0, 0.2)
                while len(self.arrivals.numbers) < wanted and time.monotonic() < limit:
                    time.sleep(0.0005)
                time.sleep(self.random.uniform(0, 0.002))
                process.kill()
            code = process.wait()
            feeder.join()
            errors.seek(0)
            self.verify(code == (-signal.SIGKILL if is_killed else 0), f"ended with {code}: {errors.read().decode()}")
        self.catch_up()
        arrived = {self.records[number] for number in self.arrivals.numbers[before:]}
        again = sum(map(self.queue.has_taken, arrived))
        self.verify(not again, f"sent {again} records again that were acknowledged")
        self.queue = Queue(self.folder)
        in_flight = sum(not self.queue.has_taken(record) for record in arrived)
        self.most_in_flight = max(self.most_in_flight, in_flight)
        self.verify(in_flight <= IN_FLIGHT, f"had {in_flight} positions in flight")

    def check(self):
        arrived = self.arrivals.counts
        with contextlib.suppress(SystemExit):
            wait(lambda: len(arrived) >= self.queue.appended, "", LIMIT)
        self.verify(len(arrived) == self.queue.appended, f"was the last; {self.queue.appended} records were queued, {len(arrived)} arrived")
        for number, numbers in enumerate(self.given):
            there = [each for each in numbers if each in arrived]
            if there != list(numbers[:len(there)]):
                self.failures.append(f"run {number + 1} lacks positions between others, such as {sorted(set(numbers) - set(there))[:5]}")
        self.verify(set(self.given[-1]) <= arrived.keys(), "was not killed, and did not send everything")


def feed(pipe, numbers):
    with contextlib.suppress(BrokenPipeError), pipe:
        pipe.write(OPENING.encode())
        for number in numbers:
            pipe.write(receivers.fix(START + number, latitude(number), speed=1.0, track=0.0).encode())


def publish(options):
    """Kills `locwatch publish` in the middle of sending, and checks what a subscriber of mosquitto gets."""
    broker = Mosquitto("log_type subscribe", "log_type notice")
    with open(broker.configuration, "a") as file:
        file.write(f"log_dest file {broker.folder}/log\n")
    with broker, tempfile.TemporaryDirectory() as folder:
        began = time.monotonic()
        soak = Publishing(options.program, pathlib.Path(folder), broker, options.seed)
        for number in range(options.kills + 1):
            soak.run(is_killed=number < options.kills)
        soak.check()
        soak.subscriber.stop()
    print(f"{options.kills} kills in {time.monotonic() - began:.0f} s: {len(soak.arrivals.counts)} positions arrived, "
          f"{soak.arrivals.repeated} arrivals more were in flight at a kill, at most {soak.most_in_flight} at one")
    for failure in soak.failures[:20]:
        print(f"FAIL  {failure}")
    return bool(soak.failures)


def points(reader, path):
    """Returns the points that a reader finds, or None if it refuses the file."""
    run = subprocess.run(["/usr/bin/python3", ORACLE, reader, path], capture_output=True, text=True)
    if run.returncode:
        return None
    # The lines of KML and GeoJSON share their ends.
    lines = []
    for line in run.stdout.splitlines():
        place = tuple(line.split("\t")[1:4])
        if not lines or lines[-1] != place:
            lines.append(place)
    return lines


class Log:
    """A log of a track that is killed again and again."""

    def __init__(self, program, name, port, folder, random):
        self.name, self.path, self.random = name, pathlib.Path(folder) / f"track.{name}", random
        self.words = [program, "-q", "export", name, "-o", self.path, f"localhost:{port}"]
        self.kills = self.torn = self.read = self.points = 0

    def begin(self):
        self.known = {reader: [] for reader in READERS[self.name]}
        self.path.unlink(missing_ok=True)

    def kill(self):
        log = started(self.words, stderr=subprocess.PIPE)
        deadline = time.monotonic() + self.random.uniform(0.02, 0.2)
        while time.monotonic() < deadline and log.poll() is None:
            time.sleep(0.002)
        log.kill()
        said = log.communicate()[1]
        require(log.returncode == -signal.SIGKILL, f"{self.name}: ended by itself: {said.decode()}")
        self.kills += 1
        if self.path.exists() and (reader := self.refusing()):
            self.torn += 1
            # The next start continues the file, here ended in the usual way.
            log = started(self.words)
            time.sleep(0.1)
            log.terminate()
            log.wait()
            require(not (other := self.refusing()),
                    f"{self.name}: {other} refuses {self.path} after the next start (kill {self.kills}, found by {reader})")

    def refusing(self):
        """Compares what the readers find with what they found before; returns the first one that refuses the file."""
        for reader, known in self.known.items():
            found = points(reader, self.path)
            if found is None:
                return reader
            where = f"{self.path} after kill {self.kills}"
            require(found[:len(known)] == known, f"{self.name}: {reader} misses or doubles a point in {where}")
            require(reader == "gdal" or len(set(found)) == len(found), f"{self.name}: {reader} finds a point twice in {where}")
            self.known[reader] = found
            self.read += 1
            self.points += len(found)
        return None


def tracks(options):
    """Kills `locwatch export` in each format, and checks what other readers find in the file."""
    for name in READERS:
        with receivers.served(options.program, "--pace", "200x") as port, tempfile.TemporaryDirectory() as folder:
            log = Log(options.program, name, port, folder, random.Random(options.seed))
            for number in range(options.kills):
                if number % KILLS_PER_FILE == 0:
                    log.begin()
                log.kill()
            print(f"{name}: {log.kills} kills, {log.read} readings of {log.points} points, each as before; {log.torn} torn points", flush=True)
    return False
