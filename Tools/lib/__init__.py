"""What the scripts of Tools share."""
import os
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
SWIFT = os.environ.get("SWIFT") or "swift"


def chosen(parser, names, known):
    """Returns the names of a command line, of which each must be known, or all that are known."""
    if unknown := set(names) - set(known):
        parser.error(f"unknown: {' '.join(sorted(unknown))}; there are {', '.join(known)}")
    return names or list(known)


def table(rows, right=()):
    """Returns lines with the cells of rows, in columns of equal width; those with the numbers `right` end at the right."""
    widths = [max(map(len, cells)) for cells in zip(*rows)]
    lines = [[cell.rjust(width) if column in right else cell.ljust(width) for column, (cell, width) in enumerate(zip(row, widths))] for row in rows]
    return "\n".join("  ".join(line).rstrip() for line in lines)
