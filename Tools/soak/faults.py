"""The random faults, one after another, of which several can last at once."""
import asyncio
import collections
import time

import receiver
from clock import HOUR
from servers import HTTPServer


class Faults:
    def __init__(self, folder, random, clock, programs, web, broker):
        self.path = folder / "faults"
        self.journal = open(self.path, "w", buffering=1)
        self.random, self.clock, self.programs, self.web, self.broker = random, clock, programs, web, broker
        self.counts = collections.Counter()
        # The faults of several steps.
        self.tasks = set()
        # Each fault with how often it comes.
        self.kinds = {self.disturb: 12, self.jump: 4, self.stop: 4, self.sleep: 1, self.fail: 4, self.cut: 3, self.leap: 1, self.signal: 1,
                      self.buffer: 1}

    async def begin(self):
        """Begins one fault with a program."""
        for each in self.programs:
            each.is_disturbed = True
        fault, = self.random.choices(list(self.kinds), list(self.kinds.values()))
        program = self.random.choice(self.programs)
        name = await fault(program) or fault.__name__
        self.counts[name] += 1
        self.journal.write(f"{time.monotonic():.3f} {name} {program.name} {program.receiver.condition} {self.web.mode}\n")

    async def disturb(self, program):
        await program.receiver.change(self.random.choice(receiver.FAULTS), self.random.uniform(0.5, self.random.choice([5, 15, 40])))

    async def jump(self, _):
        """Moves the clock as a person, a time server or a leap second does."""
        kind = self.random.choice(["forwards", "forwards", "backwards", "leap second", "corrected"])
        hours = self.random.uniform(0.1, 12) * HOUR
        # The second before midnight is repeated.
        step = {"forwards": hours, "backwards": -hours, "leap second": -1, "corrected": -self.clock.offset}
        self.clock.move(self.clock.offset + step[kind])
        return kind

    async def stop(self, program):
        program.stop(self.random.uniform(0.5, self.random.choice([2, 6, 20])))

    async def sleep(self, program):
        """Lets the machine sleep; its clock is set when it wakes up."""
        for each in self.programs:
            each.stop(self.random.uniform(5, 6))
        await self.jump(program)

    async def fail(self, _):
        await self.web.change(self.random.choice(list(HTTPServer.MODES)), self.random.uniform(0.5, 10))

    async def cut(self, _):
        return f"broker {self.broker.disturb(self.random)}"

    async def leap(self, program):
        program.receiver.leap()

    async def signal(self, _):
        for program in self.programs:
            program.hurry()

    async def buffer(self, program):
        """Lets a program that is stopped after a silence receive a few reports, of which the last one is soon old."""
        async def steps():
            await program.receiver.change("quiet")
            await asyncio.sleep(self.random.uniform(2, 40))
            program.stop(12)
            await asyncio.sleep(1)
            await program.receiver.change("reporting")
            await asyncio.sleep(2)
            await program.receiver.change("quiet", 20)

        task = asyncio.create_task(steps())
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    def step(self):
        """Ends the faults that are over."""
        self.broker.step()
        for program in self.programs:
            program.step()

    async def mend(self):
        """Ends all faults but that of the clock."""
        for task in self.tasks:
            task.cancel()
        self.broker.step(everything=True)
        await self.web.change("fine")
        for program in self.programs:
            program.is_disturbed = False
            program.step(everything=True)
            await program.receiver.change("reporting")
