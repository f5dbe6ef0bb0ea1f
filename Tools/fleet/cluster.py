"""Three nodes of NATS with JetStream, one of which is killed under load."""
import re
import time

import jetstream
import rig
from lib.brokers import nats_cluster
from rig import Outcome

# The stream in which NATS keeps what it acknowledges to MQTT clients, and its subjects.
KEPT, KEPT_SUBJECT = "$MQTT_msgs", "$MQTT.msgs.owntracks.>"
OWN, OWN_SUBJECT = "FLEET", "owntracks.>"
STAMP = re.compile(rb'"seq":(\d+),"due":(\d+)}$')


def contents(messages):
    """Counts messages by topic and sequence number, and returns the different ones and the number of repetitions."""
    seen, repeated = set(), 0
    for subject, payload in messages:
        mark = STAMP.search(payload)
        if mark is None:
            continue
        key = (int(subject.rsplit(".d", 1)[1]), int(mark[1]))
        repeated += key in seen
        seen.add(key)
    return seen, repeated


def acknowledged(path):
    with open(path) as file:
        return {tuple(map(int, line.split())) for line in file}


def run(is_short):
    devices, seconds, death = (100, 8, 2) if is_short else (500, 60, 20)
    with nats_cluster(3) as nodes:
        with jetstream.connection(nodes[0].port) as client:
            client.add_stream(OWN, [OWN_SUBJECT], 3)
        # The first client of MQTT makes the server create its streams.
        rig.run([nodes[0].word], devices=1, seconds=1, consumers=0, no_retain=True)
        with jetstream.connection(nodes[0].port) as client:
            # Without a consumer NATS acknowledges a message and keeps nothing.
            client.add_consumer(KEPT, "store", KEPT_SUBJECT)
            client.add_consumer(OWN, "reader", OWN_SUBJECT)
            leader = client.information(KEPT)["cluster"]["leader"]
        killed = next(node for node in nodes if node.name == leader)
        list_of_acknowledged = nodes[0].folder / "acknowledged"
        fleet = rig.Fleet([node.word for node in nodes], devices=devices, seconds=seconds, consumers=0,
                                no_retain=True, pid=[node.pid for node in nodes], acknowledged=list_of_acknowledged,
                                drain_timeout=120)
        time.sleep(death)
        killed.kill()
        time.sleep(3)
        killed.start()
        figures = fleet.figures()
        promised = acknowledged(list_of_acknowledged)
        with jetstream.connection(nodes[0].port) as client:
            kept, repeated = contents(client.fetch(KEPT, "store"))
            own, own_repeated = contents(client.fetch(OWN, "reader"))
    figures |= {"received": len(kept), "lost": len(promised - kept), "duplicated": repeated}
    notes = [f"the leader {killed.name} was killed after {death} s and started again 3 s later; "
             f"{figures['connections']:,} connections",
             f"a stream on {OWN_SUBJECT} has {len(own):,} messages, {len(promised - own):,} of the "
             f"acknowledged ones are missing, {own_repeated:,} are there twice: NATS acknowledges what is in {KEPT}"]
    return Outcome(f"three NATS nodes, JetStream with three replicas, {devices:,} receivers × 1 Hz, kill -9 of the leader",
                   figures, f"no acknowledged message is missing from {KEPT}",
                   not promised - kept and figures["queued"] == 0, notes)
