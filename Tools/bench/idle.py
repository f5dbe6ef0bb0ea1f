"""What waiting costs: a receiver that is silent."""
import time

import rig
from table import Row, below


def measure(options):
    with rig.daemon(is_silent=True) as (port, _):
        clients = [rig.Client(rig.watch(port)), rig.Client(rig.gpspipe(port))]
        # What happens on connecting is no waiting.
        time.sleep(3)
        before = [client.activity for client in clients]
        time.sleep(options.idle)
        after = [client.activity for client in clients]
        for client in clients:
            client.end()
    (ours, waits), (theirs, their_waits) = (
        (1000 * (late[0] - early[0]), (late[1] - early[1]) / options.idle) for early, late in zip(before, after))
    yield below(5, f"CPU of {options.idle} s of silence", "ms", ours, "gpspipe -w", theirs)
    # To tell a silent receiver from a dead daemon it must be asked now and then.
    yield Row("wake-ups a second in silence", "/s", waits, "gpspipe -w", their_waits, "≤ 0.5 /s", waits <= 0.5)
