"""`locwatch publish` against NATS with JetStream, and many publishers behind a network that is cut."""
import json
import pathlib
import subprocess
import tempfile
import time

import cluster
import jetstream
import rig
from lib import receivers
from lib.brokers import Mosquitto, Relay, Subscriber, nats_cluster
from lib.processes import needs, started
from rig import Outcome

# The time of the first fix of each recording.
FIRST = 1_767_225_600


def recording(folder, seconds):
    """Writes a drive with one fix each second and returns its path."""
    path = pathlib.Path(folder) / f"drive-{seconds}.json"
    path.write_text(receivers.VERSION + "".join(
        receivers.fix(FIRST + second, 45.07 + second * 1e-4, 7.68, ept=0.005, speed=11.1, track=0.0) for second in range(seconds)))
    return path


def publisher(target, source, queue, *options):
    return [rig.COMMAND, "publish", "--quiet", "--queue", queue, *options, target, source]


def to_nats(is_short):
    """A recording is published to a server that is killed and started again meanwhile."""
    seconds = 500 if is_short else 3000
    with nats_cluster(1) as nodes, tempfile.TemporaryDirectory(prefix="locwatch-fleet-") as folder:
        node = nodes[0]
        # The first client makes the server create its streams, and without a consumer it keeps nothing.
        rig.run([node.word], devices=1, seconds=1, consumers=0, no_retain=True)
        with jetstream.connection(node.port) as client:
            client.add_consumer(cluster.KEPT, "store", "$MQTT.msgs.owntracks.anna.>")
        source = recording(folder, seconds)
        words = publisher(f"{node.word}/owntracks/anna/boat", source, f"{folder}/queue")
        process = started(words, stderr=None)
        # The backlog is sent with 100 records per second.
        time.sleep(seconds / 250)
        node.kill()
        time.sleep(1)
        node.start()
        status, runs = finish(words, process.wait(timeout=300), folder)
        with jetstream.connection(node.port) as client:
            stored = [json.loads(payload) for _, payload in client.fetch(cluster.KEPT, "store")]
        retained = json.loads(subprocess.run(
            [needs("mosquitto_sub"), "-p", str(node.mqtt), "-t", "owntracks/anna/boat", "-C", "1", "-W", "20"],
            check=True, capture_output=True).stdout)
    times = [message["tst"] - FIRST for message in stored if message["_type"] == "location"]
    figures = {"sent": seconds, "received": len(set(times)), "lost": len(set(range(seconds)) - set(times)),
               "duplicated": len(times) - len(set(times))}
    return Outcome(f"locwatch publish, {seconds:,} fixes to NATS with JetStream, kill -9 of the server", figures,
                   "every fix is in the stream, and the retained position is the last one",
                   figures["lost"] == 0 and status == 0 and retained["tst"] == FIRST + seconds - 1,
                   [f"exit status {status} after {runs} {'run' if runs == 1 else 'runs'}"])


def refused(is_short):
    """NATS refuses a user; the publisher says so and ends."""
    with nats_cluster(1, 'authorization { users: [ { user: anna, password: right } ] }') as nodes:
        words = [rig.COMMAND, "once", "--to", f"mqtt://anna@127.0.0.1:{nodes[0].mqtt}/owntracks/anna/boat",
                 "--timeout", "5s", "sim:walk"]
        runs = {password: subprocess.run(words, env={"LOCWATCH_PASSWORD": password, "PATH": "/usr/sbin:/usr/bin:/bin"},
                                         stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
                for password in ("wrong", "right")}
    wrong, right = runs["wrong"], runs["right"]
    reason = wrong.stderr.strip().splitlines()[-1] if wrong.stderr.strip() else "no reason"
    return Outcome("locwatch once --to with a wrong and with the right password, to NATS", {},
                   "the wrong one is refused, the right one is taken",
                   wrong.returncode != 0 and right.returncode == 0,
                   [f"exit statuses {wrong.returncode} and {right.returncode}; {reason}"])


def finish(words, status, folder):
    """Runs a publisher again until its queue is empty, with a recording that has no fix; returns the exit status and the runs."""
    runs = 1
    while status == 69 and runs < 5:
        status = subprocess.run([*words[:-1], recording(folder, 0)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL).returncode
        # Its complaint is that the recording has no fix.
        status = 0 if status == 75 else status
        runs += 1
    return status, runs


def cut(is_short):
    """Publishers with queues on the disk, behind a network that is cut."""
    count, seconds, duration = (8, 10, 4) if is_short else (30, 90, 60)
    with Mosquitto() as broker, tempfile.TemporaryDirectory(prefix="locwatch-fleet-") as folder:
        source, relay = recording(folder, seconds), Relay(broker.port)
        # The topics and the times of the fixes, in the order of their arrival.
        processes, fixes = [], []

        def take(line):
            topic, _, payload = line.partition(" ")
            message = json.loads(payload)
            if message["_type"] == "location":
                fixes.append((topic, message["tst"] - FIRST))

        subscriber = Subscriber(broker.port, "owntracks/fleet/+", take, "-F", "%t %p")
        try:
            time.sleep(1)
            for number in range(count):
                words = publisher(f"{relay.word}/owntracks/fleet/d{number}", source, f"{folder}/queue-{number}", "--pace",
                                  "recorded")
                processes.append(started(words, stderr=None))
            time.sleep(3)
            relay.cut()
            time.sleep(duration)
            relay.mend()
            # A recording that ends before the next attempt to connect leaves its records in the queue.
            ends = [finish(process.args, process.wait(timeout=300), folder) for process in processes]
            # What is acknowledged can still be on its way to the subscriber.
            deadline = time.monotonic() + 20
            while len(set(fixes)) < count * seconds and time.monotonic() < deadline:
                time.sleep(0.1)
        finally:
            for process in processes:
                process.kill()
            subscriber.stop()
            relay.stop()
    by_device = {}
    for topic, second in fixes:
        by_device.setdefault(topic, []).append(second)
    expected = set(range(seconds))
    lost = sum(len(expected - set(times)) for times in by_device.values()) + seconds * (count - len(by_device))
    # After the outage the newest position comes first, and then the others in order.
    steps_back = sum(sum(later < earlier for earlier, later in zip(times, times[1:])) for times in by_device.values())
    figures = {"devices": count, "sent": count * seconds, "received": count * seconds - lost, "lost": lost,
               "duplicated": len(fixes) - (count * seconds - lost), "out_of_order": steps_back}
    again = sum(runs > 1 for _, runs in ends)
    return Outcome(f"{count} × locwatch publish with a queue on the disk, the network cut for {duration} s", figures,
                   "all queues drain; the newest position comes first, and the others follow in order",
                   lost == 0 and not any(status for status, _ in ends) and steps_back <= 2 * count,
                   [f"{again} of {count} ended before they could connect again, and sent their queues in another run"])


SCENARIOS = {"publish": to_nats, "publish-refused": refused, "publish-cut": cut}
