"""Fifty clients of one gpsd at ten epochs a second."""
import time

import rig
from table import at_most

COUNT = 50


def measure(options):
    costs = []
    for words in (rig.watch, rig.gpspipe):
        with rig.daemon() as (port, _):
            clients = [rig.Client(words(port)) for _ in range(COUNT)]
            time.sleep(options.crowd)
            costs.append(sum(client.end().cpu for client in clients) * 1000)
    yield at_most(1.5, f"CPU of {COUNT} clients in {options.crowd} s", "ms", costs[0], f"{COUNT} gpspipe -w", costs[1])
