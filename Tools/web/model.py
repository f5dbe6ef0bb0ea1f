"""The model of the page in Node.js, without a browser: what it shows as current follows from the lines alone."""
import json
import shutil
import subprocess

from lib import ROOT
from lib.processes import Failure

MODEL = ROOT / "Web/model.js"
SCRIPT = """
import { Model } from "%s";
const model = new Model();
for (const [line, isNews] of %s) {
  model.apply(line, 0, isNews);
  console.log(JSON.stringify([model.isFound ? model.shown?.name : null, model.shown?.location?.lat ?? null, model.points.length]));
}
"""


def position(device, lat, standing=None, **more):
    line = {"event": "location", "time": "2026-11-20T12:00:00.000Z", "lat": lat, "lon": 7, "mode": 3, "device": device, **more}
    return line | ({"standing": standing} if standing else {})


FOUND = {"event": "state", "from": "searching", "to": "found", "reason": "fix", "after": 1, "mode": 3, "device": "A"}
HANDOVER = {"event": "handover", "from": "A", "to": "B", "reason": "silent"}
START = {"event": "start", "schema": "locwatch/1"}
LOST = {"event": "state", "from": "found", "to": "searching", "reason": "silent", "after": 1, "device": "B"}

# Lines with whether they are news, and after each of them the current receiver, if any, the latitude that is shown, and the number of points of
# the track.
LIVE = [
    (START, False, None, None, 0), (FOUND, True, None, None, 0), (position("A", 45), True, "A", 45, 1),
    (position("B", 46, "other"), True, "A", 45, 1), (position("A", 45.1, "current"), True, "A", 45.1, 2),
    (position("A", 10, "late", late=True), True, "A", 45.1, 2), (position("B", 11, "late", late=True), True, "A", 45.1, 2),
    (HANDOVER, True, "B", 46, 2), (position("A", 45.2, "other"), True, "B", 46, 2),
    (position("B", 46.1, "current"), True, "B", 46.1, 3), (LOST, True, None, 46.1, 3),
]
# A page that is loaded after the handover: the log, which has the first fix, comes after the positions.
LOADED = [
    (START, False, None, None, 0), (position("A", 45, "other"), False, None, 45, 0),
    (position("B", 46, "current"), False, None, 46, 0), (FOUND, False, "B", 46, 0), (HANDOVER, False, "B", 46, 0),
    (position("A", 45.1, "other"), True, "B", 46, 0), (position("B", 46.1, "current"), True, "B", 46.1, 1),
]
# A page that is loaded when nothing is current shows the position that was heard last.
STALE = [
    (START, False, None, None, 0), (position("B", 46, received="2026-11-20T12:00:05Z") | {"event": "lastKnown"}, False, None, 46, 0),
    (position("A", 45, received="2026-11-20T12:00:01Z") | {"event": "lastKnown"}, False, None, 46, 0), (LOST, False, None, 46, 0),
]


def run():
    """Checks the model, or says that Node.js is missing."""
    node = shutil.which("node")
    if not node:
        print("skip  model: Node.js is not installed", flush=True)
        return
    for name, session in (("live", LIVE), ("loaded after a handover", LOADED), ("loaded after a loss", STALE)):
        lines = json.dumps([[line, is_news] for line, is_news, *_ in session])
        script = SCRIPT % (MODEL.as_uri(), lines)
        done = subprocess.run([node, "--input-type=module", "-e", script], capture_output=True, text=True, check=False)
        shown = [json.loads(line) for line in done.stdout.splitlines()]
        expected = [[current, lat, points] for _, _, current, lat, points in session]
        if shown != expected:
            differences = [pair for pair in zip(session, shown) if list(pair[0][2:]) != pair[1]]
            raise Failure(f"the model, {name}: {differences}\n{done.stderr}")
    print(f"ok    model: {__doc__}", flush=True)
