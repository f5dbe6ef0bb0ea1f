"""What waiting costs: a receiver that is silent."""
import time

import rig
from table import Row, below

# When a silent receiver is asked about, in seconds of silence: each pause is twice the last one, up to half a minute.
QUESTIONS = [3, 6, 12, 24, 48, 78]
# A question wakes by its time and by its answer, which may come in two pieces.
WAITS_OF_A_QUESTION = 3
# What happens on connecting is no waiting.
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
    # One more for a question that falls on the edge.
    needed = WAITS_OF_A_QUESTION * (1 + sum(SETTLING < at <= SETTLING + options.idle for at in QUESTIONS))
    yield Row("wake-ups in it", "", waits, "gpspipe -w", their_waits, f"≤ {needed}", waits <= needed)
