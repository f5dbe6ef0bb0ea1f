"""The cost of waiting for a silent receiver."""
import time

import rig
from table import Row, below

# The seconds of silence after which a silent receiver is asked about. Each pause is twice the previous one, up to 30 s.
QUESTIONS = [3, 6, 12, 24, 48, 78]
# A request wakes the program when it is due and when its answer arrives, which can take two reads.
WAITS_OF_A_QUESTION = 3
# The seconds after which the program runs at the latest, so that it notices that it was stopped, and that what is buffered is old.
LONGEST_REST = 3
# Excludes the connection itself.
SETTLING = 4


def measure(options):
    with rig.daemon(is_silent=True) as (port, _):
        clients = [rig.Client(rig.watch(port)), rig.Client(rig.gpspipe(port))]
        time.sleep(SETTLING)
        before = [client.activity for client in clients]
        time.sleep(options.idle)
        after = [client.activity for client in clients]
        for client in clients:
            client.end()
    (ours, waits), (theirs, their_waits) = (
        (1000 * (late[0] - early[0]), late[1] - early[1]) for early, late in zip(before, after))
    yield below(5, f"CPU of {options.idle} s of silence", "ms", ours, "gpspipe -w", theirs)
    # Allow one more request at the end of the period.
    questions = 1 + sum(SETTLING < at <= SETTLING + options.idle for at in QUESTIONS)
    needed = WAITS_OF_A_QUESTION * questions + options.idle // LONGEST_REST
    yield Row("wake-ups in it", "", waits, "gpspipe -w", their_waits, f"≤ {needed}", waits <= needed)
