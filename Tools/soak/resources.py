"""The resources of the programs over time, which must not grow."""
import statistics

from program import check

# What one may grow by between the first and the last third of a run: for the memory also a tenth. The bytes are those of the queue's
# journal. The memory of `web` may grow by 900 kB by design: it keeps 512 KiB of events, and 56 bytes of each of 14,400 positions.
ALLOWED = {"kB": 1024, "descriptors": 2, "threads": 1, "children": 1, "files": 2, "bytes": 1_200_000}
# The head of the table of rows.
HEAD = ["", *ALLOWED, "processor"]
# What one may have at any moment beyond what it has without a fault.
PEAK = {"kB": 16_384, "descriptors": 40, "threads": 4, "children": 2, "files": 12, "bytes": 4_000_000}
# The largest share of a core that a program may use between two samples: more is a loop that does not wait.
BUSY = 0.5


class Resources:
    def __init__(self, program):
        self.program = program
        # The figures when nothing fails, and the largest ones at any time.
        self.lulls, self.peaks = [], {}
        self.previous = None

    def sample(self, now):
        figures = self.figures()
        if self.previous and now - self.previous[0] > 5:
            share = (figures["seconds"] - self.previous[1]) / (now - self.previous[0])
            self.peaks["share"] = max(self.peaks.get("share", 0), share)
            check(share < BUSY, f"{self.program.name} uses {share:.0%} of a core")
            self.previous = None
        self.previous = self.previous or (now, figures["seconds"])

    def figures(self):
        figures = self.program.figures()
        for name, value in figures.items():
            self.peaks[name] = max(self.peaks.get(name, 0), value)
        return figures

    def rest(self, samples):
        """Notes the least of each figure in some samples without a fault."""
        self.lulls.append({name: min(figures[name] for figures in samples) for name in samples[0]})

    def verdict(self):
        """Checks that the figures have not grown since the program was warm."""
        if len(self.lulls) < 3:
            return
        for name, allowed in ALLOWED.items():
            first, last = self.ends(name)
            margin = max(allowed, first // 10) if name == "kB" else allowed
            check(last <= first + margin, f"{self.program.name}: {name} grew from {first:.0f} to {last:.0f}")
            base = max(figures[name] for figures in self.lulls[:len(self.lulls) // 3])
            check(self.peaks[name] <= base + PEAK[name],
                  f"{self.program.name}: {name} was {self.peaks[name]:.0f}, without a fault {base:.0f}")

    def ends(self, name):
        """Returns the medians of a figure in the first and in the last third of the run."""
        third = max(1, len(self.lulls) // 3)
        return (statistics.median(figures[name] for figures in self.lulls[:third]),
                statistics.median(figures[name] for figures in self.lulls[-third:]))

    @property
    def row(self):
        cells = []
        for name in ALLOWED:
            first, last = self.ends(name)
            cells.append(f"{first:,.0f} → {last:,.0f} (≤ {self.peaks[name]:,.0f})")
        return [self.program.name, *cells, f"{self.lulls[-1]['seconds']:.1f} s"]
