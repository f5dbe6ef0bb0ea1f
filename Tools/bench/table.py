"""The results, one row per comparison, as a table and as JSON."""
import dataclasses
import json


@dataclasses.dataclass
class Row:
    what: str
    unit: str
    ours: float | None
    peer: str
    theirs: float | None
    goal: str = ""
    met: bool | None = None

    @property
    def ratio(self):
        return self.ours / self.theirs if self.ours is not None and self.theirs else None


def at_least(times, what, unit, ours, peer, theirs):
    """A row in which more is better: our value must be at least `times` theirs."""
    return Row(what, unit, ours, peer, theirs, f"≥ {times:g} ×", ours >= times * theirs)


def at_most(times, what, unit, ours, peer, theirs, floor=0.0):
    """A row in which less is better: our value may be at most `times` theirs, or the floor of what is measurable."""
    return Row(what, unit, ours, peer, theirs, f"≤ {times:g} ×", ours <= max(times * theirs, floor))


def below(limit, what, unit, ours, peer="", theirs=None):
    """A row in which less is better, with an absolute limit."""
    return Row(what, unit, ours, peer, theirs, f"≤ {limit:g} {unit}", ours <= limit)


def number(value):
    if value is None:
        return ""
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}"


def text(rows, about):
    lines = [f"On {about}.", ""]
    cells = [("what", "unit", "ours", "peer", "", "ratio", "goal", "")]
    for row in rows:
        verdict = {True: "met", False: "MISSED", None: ""}[row.met]
        ratio = f"{row.ratio:.2f}" if row.ratio is not None else ""
        cells.append((row.what, row.unit, number(row.ours), number(row.theirs), row.peer, ratio, row.goal, verdict))
    widths = [max(len(line[column]) for line in cells) for column in range(8)]
    for line in cells:
        left = {0, 1, 4, 6, 7}
        columns = [cell.ljust(width) if index in left else cell.rjust(width)
                   for index, (cell, width) in enumerate(zip(line, widths))]
        lines.append("  ".join(columns).rstrip())
    return "\n".join(lines) + "\n"


def as_json(rows, about):
    rows = [dataclasses.asdict(row) | {"ratio": row.ratio} for row in rows]
    return json.dumps({"machine": about, "rows": rows}, indent=1, ensure_ascii=False) + "\n"
