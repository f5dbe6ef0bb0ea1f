"""Runs every consumer at once under random faults, with a clock that moves by hours and programs that are stopped.

`watch` with hooks and a metrics file, `web` with clients of all kinds, and `publish` to a broker and to an HTTP server each read a
stand-in gpsd. Faults come at random for a phase; then everything is mended and must be as if nothing had happened:

- no position is shown as current that is older than its staleness, in the lines of `watch`, /location or /events,
- each program finds the position again,
- what a program shows of one connection has no gaps; the broker and the HTTP server get every position, and those of the
  HTTP server in order; nothing counts as sent that did not arrive,
- a hook runs once for its event, and leaves no process behind,
- memory, descriptors, threads, children and files do not grow, and no program uses its processor without a reason.

The first violation ends the soak, and the exit code is 1. The mode `publish` kills a program again and again instead: see killing.py.
"""
import argparse
import asyncio
import contextlib
import os
import pathlib
import random
import shutil
import signal
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import killing  # noqa: E402
from clock import HOUR, Clock  # noqa: E402
from consumers import Publish, Watch, Web  # noqa: E402
from faults import Faults  # noqa: E402
from lib import ROOT, table  # noqa: E402
from program import FIND, Violation, check  # noqa: E402
from resources import HEAD, Resources  # noqa: E402
from servers import Broker, HTTPServer  # noqa: E402

# The seconds without a fault before the programs must be as they were.
LULL = 7


class Soak:
    """All programs under faults."""

    def __init__(self, options, folder):
        self.options, self.random, self.clock = options, random.Random(options.seed), Clock(folder)
        self.web, self.broker = HTTPServer(), Broker()
        self.programs = [kind(folder, self.clock, self.random, (self.web, self.broker)) for kind in (Watch, Web, Publish)]
        self.resources = [Resources(program) for program in self.programs]
        self.faults = Faults(folder, self.random, self.clock, self.programs, self.web, self.broker)

    async def run(self):
        try:
            async with asyncio.TaskGroup() as group:
                await self.web.open()
                self.broker.open()
                for program in self.programs:
                    await program.open(self.options.program)
                works = [self.web.run(), self.clock.pulse(), *(work for each in self.programs for work in each.tasks())]
                tasks = [group.create_task(work) for work in works]
                await self.phases()
                for program in self.programs:
                    await program.end()
                for task in tasks:
                    task.cancel()
        finally:
            # Each is ended, also if another one cannot be; a program that was not started has no files to check.
            async with contextlib.AsyncExitStack() as ends:
                ends.callback(self.broker.close)
                for program in self.programs:
                    ends.enter_context(contextlib.suppress(Violation))
                    ends.push_async_callback(program.end) if program.process else None

    async def phases(self):
        began, faults = time.monotonic(), self.faults.counts
        await self.lull()
        while time.monotonic() - began < self.options.seconds:
            before = faults.total()
            await self.phase(time.monotonic() + min(120, max(10, self.options.seconds / 6)))
            drained = time.monotonic()
            await self.lull()
            print(f"{time.monotonic() - began:.0f} s: {faults.total() - before} faults, clock {self.clock.offset / HOUR:+.2f} h, as before after "
                  f"{time.monotonic() - drained:.0f} s, " + ", ".join(f"{each.program.name} {each.lulls[-1]['kB']:,} kB" for each in self.resources),
                  flush=True)
        for each in self.resources:
            each.verdict()

    async def phase(self, end):
        """Lets faults come until a time."""
        next_fault = 0.0
        while time.monotonic() < end:
            if time.monotonic() > next_fault:
                await self.faults.begin()
                next_fault = time.monotonic() + self.random.uniform(0.2, 3)
            await self.observe()

    async def lull(self):
        """Mends everything, and checks that all is as it should be."""
        await self.faults.mend()
        mended = time.monotonic()
        # A program that has just begun does not know the signal yet.
        next_hurry = mended + 5
        # Clients that took nothing leave after 5 s.
        while (behind := [each for each in self.programs if not each.has_caught_up(mended)]) or time.monotonic() < mended + LULL:
            check(time.monotonic() < mended + FIND, f"{[each.name for each in behind]} have no position {FIND:.0f} s after the last fault")
            if time.monotonic() > next_hurry:
                next_hurry += 3
                for program in behind:
                    program.hurry()
            await self.observe()
        for program in self.programs:
            await program.settle()
        # A connection can be open at any moment, and on a slow machine for longer: what has grown is there in every sample.
        samples = []
        for _ in range(8):
            samples.append([each.figures() for each in self.resources])
            await self.observe()
        for each, *figures in zip(self.resources, *samples):
            each.rest(figures)

    async def observe(self):
        await asyncio.sleep(0.25)
        self.faults.step()
        for each in self.resources:
            each.program.observe()
            each.sample(time.monotonic())

    def report(self):
        print(", ".join(f"{count} × {name}" for name, count in self.faults.counts.most_common()))
        print(f"the clock moved {self.clock.moves} times, by {self.clock.distance / HOUR:.0f} hours; the machine was late by "
              f"{max((delay for _, delay in self.clock.delays), default=0) * 1000:.0f} ms at most")
        for program in self.programs:
            print(f"{program.name}: {program.summary}")
        print(table([HEAD, *(each.row for each in self.resources)]))


def everything(options):
    """Runs all programs under faults; returns the exit code."""
    print(f"soak of {options.seconds} s, seed {options.seed}", flush=True)
    # As Ctrl-C does, SIGTERM ends what was started.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with tempfile.TemporaryDirectory(prefix="locwatch-soak-") as name:
        soak = Soak(options, pathlib.Path(name))
        try:
            asyncio.run(soak.run())
            soak.report()
        except KeyboardInterrupt:
            return 130
        except ExceptionGroup as group:
            violations, others = group.split(Violation)
            if others:
                raise
            print("the last faults:\n" + "".join(soak.faults.path.read_text().splitlines(True)[-12:]) + f"{time.monotonic():.3f} now")
            print(f"WRONG: {violations.exceptions[0]}; repeat with --seed {options.seed} --keep FOLDER")
            if options.keep:
                shutil.copytree(name, options.keep, dirs_exist_ok=True)
            return 1
    return 0


MODES = {"everything": everything, "publish": killing.publish}


def main():
    parser = argparse.ArgumentParser(prog="make soak", description=__doc__.split("\n")[0])
    parser.add_argument("mode", nargs="?", choices=MODES, default="everything", help="publish kills a program again and again instead")
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--seconds", type=int, default=3600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "dist/locwatch")
    parser.add_argument("--keep", type=pathlib.Path, help="a folder that keeps the files of a failed run")
    options = parser.parse_args()
    if not os.access(options.program, os.X_OK):
        parser.error(f"{options.program} is missing: make release builds it, or --program names another one")
    for name in [name for name in os.environ if name.startswith("LOCWATCH_")]:
        del os.environ[name]
    return MODES[options.mode](options)


sys.exit(main())
