"""The results, one row per comparison."""
import dataclasses

from lib import table


@dataclasses.dataclass
class Row:
    what: str
    unit: str
    ours: float
    peer: str
    theirs: float | None
    goal: str = ""
    met: bool | None = None


def at_least(times, what, unit, ours, peer, theirs):
    """A row in which more is better: our value must be at least `times` theirs."""
    return Row(what, unit, ours, peer, theirs, f"≥ {times:g} ×", ours >= times * theirs)


def at_most(times, what, unit, ours, peer, theirs):
    """A row in which less is better: our value may be at most `times` theirs."""
    return Row(what, unit, ours, peer, theirs, f"≤ {times:g} ×", ours <= times * theirs)


def below(limit, what, unit, ours, peer="", theirs=None):
    """A row in which less is better, with an absolute limit."""
    return Row(what, unit, ours, peer, theirs, f"≤ {limit:g} {unit}", ours <= limit)


def number(value):
    if value is None:
        return ""
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}"


def text(rows, about):
    cells = [("what", "unit", "ours", "peer", "", "ratio", "goal", "")]
    for row in rows:
        verdict = {True: "met", False: "MISSED", None: ""}[row.met]
        ratio = f"{row.ours / row.theirs:.2f}" if row.theirs else ""
        cells.append((row.what, row.unit, number(row.ours), number(row.theirs), row.peer, ratio, row.goal, verdict))
    return f"On {about}.\n\n{table(cells, right=(2, 3, 5))}"
