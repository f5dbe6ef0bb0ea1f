"""The civil clock of the programs under test, which moves by hours while this machine's clock is left alone."""
import asyncio
import collections
import mmap
import os
import pathlib
import struct
import time

from lib.processes import needs, told

HOUR = 3600.0
PULSE = 0.1


class Clock:
    def __init__(self, folder):
        self.library = folder / "clock.so"
        source = pathlib.Path(__file__).with_name("clock.c")
        told(needs("clang"), "-O1", "-Wall", "-shared", "-fPIC", source, "-o", self.library)
        self.path = folder / "clock"
        self.path.write_bytes(bytes(8))
        with open(self.path, "r+b") as file:
            self.page = mmap.mmap(file.fileno(), 8)
        self.offset, self.moves = 0.0, 0
        # The sum of all moves without their signs.
        self.distance = 0.0
        # The recent times at which the soak itself ran too late, with the seconds.
        self.delays = collections.deque(maxlen=1000)
        self.beat = time.monotonic()

    @property
    def environment(self):
        return os.environ | {"LD_PRELOAD": str(self.library), "LOCWATCH_SOAK_CLOCK": str(self.path)}

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
