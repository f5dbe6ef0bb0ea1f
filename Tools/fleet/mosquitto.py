"""The scenarios of a fleet on one mosquitto."""
import time

import rig
from lib.brokers import Mosquitto, Relay
from rig import Outcome

NOTHING_LOST = "nothing acknowledged is lost"
IN_ORDER = f"{NOTHING_LOST}, and the order of each device is kept"


def loaded(devices, seconds, unlimited=True, **options):
    """Returns the figures of a fleet on a fresh broker."""
    with Mosquitto(unlimited=unlimited) as broker:
        return rig.run([broker.word], devices=devices, seconds=seconds, pid=broker.pid, **options)


def nothing_lost(figures):
    return figures["lost"] == 0 and figures["queued"] == 0 and figures["acknowledged"] == figures["sent"]


def load(is_short):
    """Every receiver sends one fix each second."""
    devices, seconds = (500, 4) if is_short else (10_000, 60)
    figures = loaded(devices, seconds)
    return Outcome(f"mosquitto, {devices:,} receivers × 1 Hz for {seconds} s, QoS 1", figures, IN_ORDER,
                   nothing_lost(figures) and figures["out_of_order"] == figures["duplicated"] == 0,
                   [f"the load generator was {figures['own_delay_ms']:.0f} ms late at most, and used "
                    f"{figures['own_cpu_percent']:.0f} % of a core"])


def away(is_short, unlimited=True):
    """The same with a consumer that is away for a while."""
    devices, seconds = (500, 5) if is_short else (10_000, 30)
    figures = loaded(devices, seconds, unlimited, keep_sessions=True, end_consumer=1, return_consumer=4)
    scenario = f"{devices:,} receivers, the consumer away for 3 s"
    if unlimited:
        return Outcome(f"mosquitto without limits, {scenario}", figures, NOTHING_LOST, nothing_lost(figures))
    return Outcome(f"mosquitto with its default limits, {scenario}", figures,
                   "the count shows that the defaults drop acknowledged messages (max_queued_messages 1000)", figures["lost"] > 0)


def defaults(is_short):
    """The same with mosquitto's own limits."""
    return away(is_short, unlimited=False)


def cut(is_short):
    """The network between the receivers and the broker is cut; each receiver queues meanwhile."""
    devices, seconds, duration = (200, 8, 5) if is_short else (1_000, 80, 60)
    with Mosquitto() as broker:
        relay = Relay(broker.port)
        try:
            fleet = rig.Fleet([relay.word], devices=devices, seconds=seconds, consumer=broker.word, pid=broker.pid, drain_timeout=60)
            time.sleep(1.5)
            relay.cut()
            time.sleep(duration)
            relay.mend()
            figures = fleet.figures()
        finally:
            relay.stop()
    return Outcome(f"the network cut for {duration} s, {devices:,} receivers × 1 Hz", figures, f"all queues drain, {IN_ORDER}",
                   nothing_lost(figures) and figures["out_of_order"] == 0 and figures["connections"] >= 2 * devices,
                   [f"{figures['connections']:,} connections; what was under way when the network was cut arrives twice"])


def shared(is_short):
    """Four consumers share a subscription; one of them is killed and does not return."""
    devices, seconds = (500, 5) if is_short else (5_000, 30)
    figures = loaded(devices, seconds, consumers=4, share="store", end_consumer=seconds / 2)
    notes = []
    if figures["lost"]:
        notes = [f"what is lost was due {-figures['loss_begin_s']:.3f} s before to {figures['loss_end_s']:.3f} s after "
                 "the end of the consumer, and was under way to it"]
    # A quarter of the messages of half a second can be in the sockets of the killed consumer.
    allowed = devices / 8
    window = abs(figures.get("loss_begin_s", 0)) <= 1 and abs(figures.get("loss_end_s", 0)) <= 1
    return Outcome(f"four consumers share a subscription, one is killed, {devices:,} receivers × 1 Hz", figures,
                   "only messages that were under way to the killed consumer are lost",
                   figures["lost"] <= allowed and window and figures["queued"] == 0, notes)


def shared_kept(is_short):
    """The same with sessions that the broker keeps; the consumer returns."""
    devices, seconds = (500, 5) if is_short else (5_000, 30)
    figures = loaded(devices, seconds, consumers=4, share="store", keep_sessions=True, end_consumer=seconds / 2,
                     return_consumer=seconds / 2 + 2)
    return Outcome(f"the same with kept sessions, and the consumer returns after 2 s, {devices:,} receivers", figures, NOTHING_LOST,
                   nothing_lost(figures))


def storm(is_short):
    """All receivers lose their connections and connect again at once."""
    devices, seconds = (500, 4) if is_short else (10_000, 30)
    figures = loaded(devices, seconds, reconnect=2, drain_timeout=120)
    return Outcome(f"{devices:,} receivers reconnect at once", figures, IN_ORDER,
                   nothing_lost(figures) and figures["out_of_order"] == 0,
                   [f"half were connected again after {figures['reconnect_half_s']:.2f} s, all after "
                    f"{figures['reconnect_s']:.2f} s; {figures['connections']:,} connections"])


SCENARIOS = {"load": load, "defaults": defaults, "away": away, "cut": cut, "shared": shared, "shared-kept": shared_kept, "storm": storm}
