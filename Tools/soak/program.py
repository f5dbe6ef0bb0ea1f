"""A program under test: its process, its resources, and what all consumers have in common."""
import asyncio
import contextlib
import math
import os
import pathlib
import signal
import time

from lib.processes import TICKS, megabytes, seconds, stat
from receiver import FINE, Receiver

# The seconds for which a position without a successor is shown as current.
STALE = 3.0
# The seconds by which a loaded machine may be late.
GRACE = 3.0
# The seconds for which a program that ran on may show what it received just before a stop, or in one that was too short to be
# noticed, and for which a reader may wait for the news that it is stale.
AWAKE = STALE + 1.0
# The seconds in which a program passes on what it has received, unless it is stopped.
DELIVERY = 0.2
# The seconds until a program has connected again and shows a position: its longest pause is 4.8 s after short faults.
FIND = 45.0


class Violation(Exception):
    """An invariant that does not hold."""


def check(condition, text):
    if not condition:
        raise Violation(text)


class Program:
    """A locwatch with a gpsd of its own; a subclass has its name and its arguments (`words`), and checks what it shows."""

    def __init__(self, folder, clock, random, peers):
        self.folder = folder / self.name
        self.folder.mkdir()
        self.clock, self.random, self.peers = clock, random, peers
        self.receiver = Receiver(self.name, random)
        self.process = None
        # The beginning and the end of each stop, which is not known yet for the last one while it lasts, and when that ends.
        self.stops, self.wakes = [], None
        self.is_ending = False
        # Whether faults may come.
        self.is_disturbed = False

    async def open(self, path):
        await self.receiver.open()
        with open(self.folder / "errors", "wb") as errors:
            self.process = await asyncio.create_subprocess_exec(
                path, *map(str, self.words()), f"localhost:{self.receiver.port}", env=self.clock.environment,
                cwd=self.folder, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=errors,
                limit=1 << 20)

    def tasks(self):
        """Returns what runs as long as the program does."""
        return [self.receiver.run(), self.read(), self.supervise()]

    async def supervise(self):
        await self.process.wait()
        errors = (self.folder / "errors").read_text(errors="replace")
        check(self.is_ending, f"{self.name} ended with {self.process.returncode}: {errors[-500:]}")

    async def read(self):
        with open(self.folder.parent / f"{self.name}.output", "wb", 0) as output:
            async for line in self.process.stdout:
                output.write(b"%.3f " % time.monotonic() + line)
                self.take(line)

    def take(self, line):
        """Processes a line of standard output."""

    # Stopping

    def stop(self, seconds):
        if self.wakes is None:
            self.process.send_signal(signal.SIGSTOP)
            self.stops.append((time.monotonic(), math.inf))
            self.wakes = time.monotonic() + seconds
            self.receiver.is_heard = False

    def step(self, everything=False):
        """Lets a stopped program proceed when it is time."""
        if self.wakes is not None and (everything or time.monotonic() > self.wakes):
            self.process.send_signal(signal.SIGCONT)
            self.wakes = None
            self.stops[-1] = self.stops[-1][0], time.monotonic()
            self.receiver.is_heard = True
            self.receiver.begin_run()

    @property
    def continued(self):
        """The end of the last stop."""
        return self.stops[-1][1] if self.stops else 0.0

    @property
    def is_awake(self):
        """Whether the program has run long enough to have processed what happened while it was stopped."""
        return time.monotonic() - self.continued > AWAKE + self.clock.lateness

    # Invariants

    def check_delivered(self, number, what, asked=0.0):
        """Checks a position that arrives as a current one.

        A stop can come between the arrival of a position at the program and its delivery, which is then late by the stop. A
        request whose answer has such a position was sent before the end of the stop. The program must say at once that it is
        stale: a follower's `check` fails if it is still shown when the program is awake.
        """
        may_be_delayed = not self.is_awake and asked <= self.continued
        self.check_age(number, what, self.delay(self.receiver.sent.get(number, 0)) if may_be_delayed else 0)

    def delay(self, sent):
        """Returns the seconds of all stops since a position was sent, or 0 if it was sent while the program was stopped."""
        if any(begin + DELIVERY < sent < end for begin, end in self.stops):
            return 0
        return sum(min(end, time.monotonic()) - max(begin, sent) for begin, end in self.stops if end > sent)

    def check_age(self, number, what, stopped=0):
        """Checks the age of a position that is shown as current, or was delayed by a stop of so many seconds."""
        check(number in self.receiver.sent, f"{self.name}: {what} is position {number}, which was not sent")
        age = time.monotonic() - self.receiver.sent[number] - stopped
        check(age < STALE + GRACE + self.clock.lateness, f"{self.name}: {what} is position {number}, which is {age:.1f} s old "
              f"(the receiver is {self.receiver.condition}, clock {self.clock.offset:+.0f} s)")

    @property
    def must_be_found(self):
        receiver = self.receiver
        return receiver.condition in FINE and self.is_awake and (
            time.monotonic() - max(receiver.good_since, self.continued) > FIND)

    def observe(self):
        """Checks the invariants that hold at every moment."""

    @property
    def newest(self):
        """The number of the newest position that the program shows as current or has passed on, if any."""
        return self.follower.last if self.follower.is_found else None

    def has_caught_up(self, since):
        """Returns whether a position that was sent after a time has gone through the program."""
        return self.receiver.sent.get(self.newest, 0) > since

    def hurry(self):
        """Ends a wait that the program chose after failures, which can be of minutes."""

    async def settle(self):
        """Waits until everything is as it is without a fault, and checks it."""

    async def end(self):
        self.is_ending = True
        self.step(everything=True)
        if self.process and self.process.returncode is None:
            # It may have been interrupted together with the soak.
            with contextlib.suppress(ProcessLookupError):
                self.process.terminate()
            try:
                await asyncio.wait_for(self.process.wait(), 15)
            except TimeoutError:
                self.process.kill()
                await self.process.wait()
                check(False, f"{self.name} does not end by SIGTERM within 15 s")
            left = self.left_behind()
            for pid in left:
                with contextlib.suppress(OSError):
                    os.kill(pid, signal.SIGKILL)
            check(not left, f"{self.name} has left processes behind: {list(left.values())[:4]}")

    def left_behind(self, older_than=0):
        """Returns the words of the processes that the program started that many seconds ago, by their ids."""
        found = {}
        latest = time.clock_gettime(time.CLOCK_BOOTTIME) - older_than
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                is_own = (process / "cwd").samefile(self.folder) and int(process.name) != self.process.pid
                if is_own and int(stat(process.name)[19]) / TICKS < latest:
                    # A process that is about to end has no words any more.
                    if words := (process / "cmdline").read_bytes().replace(b"\0", b" ").decode():
                        found[int(process.name)] = words
        return found

    def figures(self):
        """Returns the resources of the process as the system counts them."""
        pid = self.process.pid
        files = [path for path in self.folder.rglob("*") if path.is_file() and path.name not in ("errors", "hooks")]
        return {
            # Without the pages of the program's file, of which the system maps more as they are used.
            "kB": round(megabytes(pid, "RssAnon") * 1024), "descriptors": len(os.listdir(f"/proc/{pid}/fd")), "threads": int(stat(pid)[17]),
            "children": len(pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()), "files": len(files),
            "bytes": sum(path.stat().st_size for path in files if path.exists()), "seconds": seconds(pid)}
