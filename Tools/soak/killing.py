"""The other mode of the soak: `publish` is killed again and again in the middle of sending.

It reads numbered positions from a pipe, and sends them and what earlier runs have left in the queue to mosquitto. After each run the
database of the queue must be whole. At the end every record that was ever in the queue has arrived, and nothing else; what arrives of
the positions of a run is the first ones without a gap, because it takes them in order; no kill has caused more messages to be sent
again than can be in flight or were acknowledged and not stored yet, and one that was sent ahead; and each of them is marked as repeated.
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

from lib import receivers
from lib.brokers import Mosquitto, subscriber
from lib.processes import require, wait
from receiver import latitude
from servers import Arrivals

TOPIC = "owntracks/anna/boat"
# The messages that a connection sends before it waits for an acknowledgement, those that are stored together as acknowledged, and the
# newest position, which is sent ahead.
MOST_REPEATED = 20 + 100 + 1
# The seconds after which a missing message counts as lost.
LIMIT = 120
OPENING = receivers.VERSION + (
    '{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/ttyACM0","driver":"u-blox",'
    '"activated":"2026-01-01T00:00:00.000Z","cycle":1.00}]}\n')


def appended(folder):
    """Returns the number of records that were ever appended to a queue, whose database must be whole."""
    path = folder / "queue.sqlite"
    if not path.exists():
        return 0
    with contextlib.closing(sqlite3.connect(path)) as database:
        # A killed program may have created the file only.
        if not database.execute("SELECT count(*) FROM sqlite_master WHERE name = 'targets'").fetchone()[0]:
            return 0
        whole, = database.execute("PRAGMA integrity_check").fetchone()
        require(whole == "ok", f"the database of the queue is damaged: {whole}")
        # A target has taken all records before the next one.
        taken = [after - 1 for after, in database.execute("SELECT next FROM targets")]
        newest, = database.execute("SELECT max(number) FROM records").fetchone()
    return max(newest or 0, *taken, 0)


def feed(pipe, numbers):
    with contextlib.suppress(BrokenPipeError), pipe:
        pipe.write(OPENING.encode())
        for number in numbers:
            pipe.write(receivers.fix(receivers.FIRST + number, latitude(number), speed=1.0, track=0.0).encode())


class Publishing:
    """The runs of a publisher to a broker, and what arrives."""

    def __init__(self, program, folder, broker, seed):
        self.folder, self.random, self.arrivals = folder / "queue", random.Random(seed), Arrivals()
        self.words = [program, "publish", "-q", "--queue", self.folder, f"{broker.word}/{TOPIC}", "-"]
        # The numbers that each run was given.
        self.given = []

    def run(self, is_killed):
        first, count = sum(map(len, self.given)) + 1, self.random.randint(1, 400)
        self.given.append(range(first, first + count))
        with tempfile.TemporaryFile() as errors, subprocess.Popen(self.words, stdin=subprocess.PIPE, stderr=errors) as process:
            feeder = threading.Thread(target=feed, args=(process.stdin, self.given[-1]), daemon=True)
            feeder.start()
            if is_killed:
                # After some messages, and then at any moment; some runs are killed before they are connected.
                wanted = self.arrivals.counts.total() + self.random.randint(0, count)
                limit = time.monotonic() + self.random.uniform(0, 0.2)
                while self.arrivals.counts.total() < wanted and time.monotonic() < limit:
                    time.sleep(0.0005)
                time.sleep(self.random.uniform(0, 0.002))
                process.kill()
            code = process.wait()
            feeder.join()
            errors.seek(0)
            require(code == (-signal.SIGKILL if is_killed else 0), f"run {len(self.given)} ended with {code}: {errors.read().decode()}")
        appended(self.folder)

    def check(self, kills):
        arrived, queued = self.arrivals.counts, appended(self.folder)
        wait(lambda: len(arrived) >= queued, lambda: f"{queued} records were queued, and {len(arrived)} arrived", LIMIT)
        require(len(arrived) == queued, f"{queued} records were queued, and {len(arrived)} arrived")
        for number, numbers in enumerate(self.given):
            there = [each for each in numbers if each in arrived]
            require(there == list(numbers[:len(there)]), f"run {number + 1} lacks positions between others: {sorted(set(numbers) - set(there))[:5]}")
        require(set(self.given[-1]) <= arrived.keys(), "the last run was not killed, and did not send everything")
        require(self.arrivals.repeated <= kills * MOST_REPEATED, f"{self.arrivals.repeated} messages were sent again")
        require(self.arrivals.unmarked == 0, f"{self.arrivals.unmarked} of {self.arrivals.repeated} messages came again without a mark")


def publish(options):
    """Kills `locwatch publish` in the middle of sending, and checks what a subscriber of mosquitto gets."""
    with Mosquitto() as broker, tempfile.TemporaryDirectory() as folder:
        began = time.monotonic()
        soak = Publishing(options.program, pathlib.Path(folder), broker, options.seed)
        with subscriber(broker.port, TOPIC, soak.arrivals.add):
            for number in range(options.kills + 1):
                soak.run(is_killed=number < options.kills)
            soak.check(options.kills)
    print(f"{options.kills} kills in {time.monotonic() - began:.0f} s: {len(soak.arrivals.counts)} positions arrived, "
          f"{soak.arrivals.repeated} messages came again, each marked, and {soak.arrivals.doubtful} that came once were marked")
    return 0
