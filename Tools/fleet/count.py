"""The count itself, without a broker: what it finds in messages that are lost, come twice, late, or from others."""
from load.tally import Tally
from outcome import Outcome


def run(_):
    tally = Tally(2)
    for topic, mark in [(b"d0", b'"seq":0,"due":1'), (b"d0", b'"seq":2,"due":1'), (b"d0", b'"seq":1,"due":1'),
                        (b"d0", b'"seq":2,"due":1'), (b"d1", b'"seq":0,"due":1'), (b"d2", b'"seq":0,"due":1'),
                        (b"d-1", b'"seq":0,"due":1'), (b"d", b'"seq":0,"due":1'), (b"d0", b'"seq":7'),
                        (b"d0", b'"seq":-7,"due":1'), (b"d0", b'"seq":7,"due":1,"more":1')]:
        tally.add(b"owntracks/fleet/" + topic, b'{"_type":"location",' + mark + b"}")
    figures = {"received": tally.count, "duplicated": tally.duplicated, "out_of_order": tally.out_of_order}
    return Outcome("eleven messages, of which one comes twice, one late, and six are not from the fleet", figures,
                   "each is counted as what it is",
                   figures == {"received": 4, "duplicated": 1, "out_of_order": 1} and tally.received == [{0, 1, 2}, {0}])


SCENARIOS = {"count": run}
