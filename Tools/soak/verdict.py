"""What the soak has found wrong."""


class Violation(Exception):
    """An invariant that does not hold."""


def check(condition, text):
    if not condition:
        raise Violation(text)
