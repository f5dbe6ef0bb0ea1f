"""The random faults, one after another, of which several can last at once."""
import asyncio
import collections
import time

import receiver
from servers import HTTPServer


class Faults:
    def __init__(self, folder, random, clock, programs, web, broker):
        self.path = folder / "faults"
        self.journal = open(self.path, "w", buffering=1)
        self.random, self.clock, self.programs = random, clock, programs
        self.web, self.broker = web, broker
        self.counts = collections.Counter()
        # The faults of several steps.
        self.tasks = set()

    async def begin(self):
        """Begins one fault."""
        random = self.random
        program = random.choice(self.programs)
        kind = random.choices(["receiver", "clock", "stop", "sleep", "server", "broker", "leap", "signal", "buffered"],
                              [12, 4, 4, 1, 4, 3, 1, 1, 1])[0]
        if kind == "receiver":
            await program.receiver.change(random.choice(receiver.FAULTS), random.uniform(0.5, random.choice([5, 15, 40])))
        elif kind == "clock":
            kind = self.clock.jump(random)
        elif kind == "stop":
            program.stop(random.uniform(0.5, random.choice([2, 6, 20])))
        elif kind == "sleep":
            # The machine sleeps, and its clock is set when it wakes up.
            for each in self.programs:
                each.stop(random.uniform(5, 6))
            self.clock.jump(random)
        elif kind == "server":
            await self.web.change(random.choice(HTTPServer.MODES), random.uniform(0.5, 10))
        elif kind == "broker":
            kind = f"broker {self.broker.disturb(random)}"
        elif kind == "leap":
            program.receiver.leap()
        elif kind == "buffered":
            task = asyncio.create_task(self.buffer(program))
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)
        else:
            next(each for each in self.programs if each.name == "publish").hurry()
        self.counts[kind] += 1
        self.journal.write(f"{time.monotonic():.3f} {kind} {program.name} {program.receiver.condition} {self.web.mode}\n")

    async def buffer(self, program):
        """Lets a program that is stopped after a silence receive a few reports, of which the last one is soon old."""
        await program.receiver.change("quiet")
        await asyncio.sleep(self.random.uniform(2, 40))
        program.stop(12)
        await asyncio.sleep(1)
        await program.receiver.change("reporting")
        await asyncio.sleep(2)
        await program.receiver.change("quiet", 20)

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
            program.step(everything=True)
            if program.receiver.condition != "reporting":
                await program.receiver.change("reporting")
