"""The Swift sources of the package, for checks of their text."""
import re
import sys

from . import ROOT

# A string can contain slashes.
STRING_OR_COMMENT = re.compile(r'"(?:[^"\\\n]|\\.)*"|/\*.*?\*/|//[^\n]*', re.DOTALL)


def blank(match):
    """Returns the spaces in place of a match, so that all else keeps its line and column."""
    return re.sub(r"[^\n]", " ", match.group())


def without_comments(path):
    text = path.read_text(encoding="utf-8")
    return STRING_OR_COMMENT.sub(lambda match: match.group() if match.group()[0] == '"' else blank(match), text)


def swift_sources(*folders):
    """Returns the texts of all Swift files of some folders without their comments, by their paths."""
    return {path: without_comments(path) for folder in folders for path in sorted((ROOT / folder).rglob("*.swift"))}


def place(path, text, position):
    """Returns the file and the line of a position, as a compiler does."""
    return f"{path.relative_to(ROOT)}:{text.count(chr(10), 0, position) + 1}"


def report(faults, summary):
    """Ends the check with its faults, or with a summary if there are none."""
    for fault in faults:
        print(fault, file=sys.stderr)
    if not faults:
        print(summary)
    sys.exit(1 if faults else 0)
