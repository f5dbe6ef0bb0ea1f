"""The outcomes of the scenarios as a table."""
import dataclasses
import os
import platform

COLUMNS = {
    "devices": "devices", "sent": "sent", "sent again": "resent", "acknowledged": "acknowledged",
    "received": "received", "lost": "lost", "twice": "duplicated", "out of order": "out_of_order",
    "p50 ms": "latency_p50_ms", "p99 ms": "latency_p99_ms", "max ms": "latency_max_ms", "CPU %": "broker_cpu_percent",
    "MB": "broker_loaded_mb",
}


@dataclasses.dataclass
class Outcome:
    scenario: str
    figures: dict
    promise: str
    is_kept: bool
    notes: list = dataclasses.field(default_factory=list)

    @property
    def text(self):
        cells = [(name, number(self.figures[key])) for name, key in COLUMNS.items() if key in self.figures]
        widths = [max(len(name), len(value)) for name, value in cells]
        lines = [self.scenario]
        for column in range(2 if cells else 0):
            lines.append("  " + "  ".join(cell[column].rjust(width) for cell, width in zip(cells, widths)))
        lines += [f"  {note}" for note in self.notes]
        lines.append(f"  {'kept' if self.is_kept else 'BROKEN'}: {self.promise}")
        return "\n".join(lines) + "\n"


def number(value):
    if isinstance(value, int) or abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def machine():
    with open("/proc/cpuinfo") as file:
        models = [line.split(":", 1)[1].strip() for line in file if line.startswith("model name")]
    return (f"On {models[0] if models else platform.machine()}, {os.cpu_count()} cores, Linux {platform.release()}, "
            f"load {os.getloadavg()[0]:.1f}. Latency from the due time of a fix to its arrival at the consumer.")
