"""The civil clock of the programs under test, which moves by hours while this machine's clock is left alone."""
import asyncio
import collections
import mmap
import os
import pathlib
import shutil
import struct
import subprocess
import time

HOUR = 3600.0
PULSE = 0.1


class Clock:
    def __init__(self, folder):
        self.library = folder / "clock.so"
        compiler = next((path for path in map(shutil.which, ("clang", "cc", "gcc")) if path), None)
        if compiler is None:
            raise SystemExit("soak: there is no C compiler: run 'Tools/setup/install-dependencies build'")
        source = pathlib.Path(__file__).with_name("clock.c")
        subprocess.run([compiler, "-O1", "-Wall", "-shared", "-fPIC", source, "-o", self.library], check=True)
        self.path = folder / "clock"
        self.path.write_bytes(bytes(8))
        with open(self.path, "r+b") as file:
            self.page = mmap.mmap(file.fileno(), 8)
        self.offset = 0.0
        self.moves = 0
        # The sum of all moves without their signs.
        self.distance = 0.0
        # The recent times at which the soak itself ran too late, with the seconds.
        self.delays = collections.deque(maxlen=1000)
        self.beat = time.monotonic()

    @property
    def environment(self):
        return os.environ | {"LD_PRELOAD": str(self.library), "LOCWATCH_SOAK_CLOCK": str(self.path)}

    @property
    def now(self):
        return time.time() + self.offset

    async def pulse(self):
        """Notes how late the soak runs on a loaded machine, which its observations allow for."""
        while True:
            self.beat = time.monotonic()
            await asyncio.sleep(PULSE)
            if (delay := time.monotonic() - self.beat - PULSE) > PULSE:
                self.delays.append((time.monotonic(), delay))

    @property
    def lateness(self):
        """The longest time in the last half minute for which the soak did not run."""
        now = time.monotonic()
        return max([now - self.beat - PULSE, 0.0, *(delay for end, delay in self.delays if now - end < 30)])

    def move(self, offset):
        """Sets the difference to this machine's clock, in seconds."""
        self.moves += 1
        self.distance += abs(offset - self.offset)
        self.offset = offset
        self.page[:] = struct.pack("<q", round(offset * 1e9))

    def jump(self, random):
        """Moves the clock as a person, a time server or a leap second does."""
        kind = random.choice(["forwards", "forwards", "backwards", "leap second", "corrected"])
        self.move({
            "forwards": self.offset + random.uniform(0.1, 12) * HOUR,
            "backwards": self.offset - random.uniform(0.1, 12) * HOUR,
            # The second before midnight is repeated.
            "leap second": self.offset - 1,
            "corrected": 0.0,
        }[kind])
        return kind
