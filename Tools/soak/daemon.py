"""A real gpsd, which is killed, its simulated receiver, which is unplugged, and the `watch` that follows them."""
import asyncio
import contextlib
import datetime
import os
import pathlib
import select
import shutil
import subprocess
import tempfile
import time

from consumers import Follower
from lib.processes import await_port, free_port
from lib.receivers import gpsd, nmea, serial_line
from program import GRACE, STALE, Program, check
from receiver import latitude

# The seconds between two epochs.
CYCLE = 0.2
# gpsd 3.22 takes up to 64 seconds to reopen a receiver that was away, and then waits for a request.
FIND = 80
# The shared memory of this gpsd, which one that root has started leaves behind.
MEMORY = "0x4C6F6353"


class SerialReceiver:
    """A gpsd with a receiver on a pseudo terminal; `sent` has for each number the time at which its position was sent."""

    def __init__(self):
        # gpsd gives up its rights, and must find the receiver again without them.
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="locwatch-soak-gpsd-"))
        self.folder.chmod(0o755)
        self.path = self.folder / "receiver"
        self.port = free_port()
        self.condition, self.since = "running", time.monotonic()
        self.process = self.terminal = None
        self.next, self.sent = 1, {}
        # For the program, which the soak does not stop.
        self.is_heard = True

    async def open(self):
        self.plug_in()
        self.start()
        await asyncio.to_thread(await_port, self.port)

    def start(self):
        self.process = gpsd(self.port, self.path, "-F", self.folder / "control", memory=MEMORY)

    def kill(self):
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        (self.folder / "control").unlink(missing_ok=True)

    def plug_in(self):
        self.terminal, line, path = serial_line()
        self.path.symlink_to(path)
        os.close(line)
        os.set_blocking(self.terminal, False)

    def unplug(self):
        """Removes the device; gpsd sees a hang-up."""
        self.path.unlink()
        os.close(self.terminal)
        self.terminal = None

    def enter(self, condition):
        self.condition, self.since = condition, time.monotonic()

    async def run(self):
        """Reports once in each cycle."""
        due = time.monotonic()
        while True:
            self.report()
            due = max(due + CYCLE, time.monotonic())
            await asyncio.sleep(due - time.monotonic())

    def report(self):
        if self.terminal is None:
            return
        poller = select.poll()
        poller.register(self.terminal, 0)
        # What is written while no daemon has opened the line would be an old position for the next one.
        if poller.poll(0):
            return
        moment = datetime.datetime.fromtimestamp(time.time(), datetime.timezone.utc)
        clock = moment.strftime("%H%M%S.") + f"{moment.microsecond // 10_000:02}"
        north = f"{latitude(self.next) * 60:010.6f}"
        place = f"{int(latitude(self.next)):02}{north[1:]},N,00700.000000,E"
        self.sent[self.next] = time.monotonic()
        with contextlib.suppress(OSError):
            os.write(self.terminal, nmea(f"GPRMC,{clock},A,{place},0.0,0.0,{moment:%d%m%y},,,A")
                     + nmea(f"GPGGA,{clock},{place},1,08,1.0,100.0,M,0.0,M,,"))
        self.next += 1

    def close(self):
        self.kill()
        if self.terminal is not None:
            self.unplug()
        subprocess.run(["ipcrm", "-M", MEMORY], stderr=subprocess.DEVNULL)
        shutil.rmtree(self.folder, ignore_errors=True)


class Daemon(Program):
    name = "gpsd"

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.receiver = SerialReceiver()
        self.positions, self.kills, self.unpluggings = 0, 0, 0
        self.until = time.monotonic() + 8

    @property
    def environment(self):
        return os.environ

    def words(self):
        self.follower = Follower(self, "the last line")
        return ["watch", "-j", "--stale", f"{STALE:.0f}s"]

    def take(self, line):
        self.positions += self.follower.take(line)["event"] == "location"

    def disturb(self):
        """Begins a fault, or ends it."""
        if self.receiver.condition != "running":
            self.mend()
        elif self.random.randrange(3):
            self.receiver.kill()
            self.receiver.enter("killed")
            self.kills += 1
            self.until = time.monotonic() + self.random.uniform(0, 4)
        elif self.follower.is_found:
            # Only with a fix: when a client connects while the receiver is away, gpsd frees the device.
            self.receiver.unplug()
            self.receiver.enter("unplugged")
            self.unpluggings += 1
            self.until = time.monotonic() + self.random.uniform(1, 15)

    def mend(self):
        mended = {"killed": self.receiver.start, "unplugged": self.receiver.plug_in}.get(self.receiver.condition)
        if mended:
            mended()
            self.receiver.enter("running")
        self.until = time.monotonic() + self.random.uniform(10, 60)

    def observe(self):
        if time.monotonic() > self.until:
            self.disturb()
        seconds = time.monotonic() - self.receiver.since - self.clock.lateness
        if self.receiver.condition != "running":
            check(not self.follower.is_found or seconds < STALE + GRACE,
                  f"gpsd: found, although it has been {self.receiver.condition} for {seconds:.1f} s")
        else:
            check(self.follower.is_found or seconds < FIND,
                  f"gpsd: no position, although it has received some for {seconds:.1f} s")

    @property
    def newest(self):
        return self.follower.current

    async def settle(self):
        """Mends everything, and waits for a position that is sent after that."""
        self.mend()
        self.until, mended = float("inf"), time.monotonic()
        while not self.has_caught_up(mended):
            self.observe()
            await asyncio.sleep(0.1)

    @property
    def summary(self):
        return f"{self.positions} positions, killed {self.kills} times, the receiver unplugged {self.unpluggings} times"
