"""The model of the page without its view, and its words: what it shows as current follows from the lines alone."""
from browser import served
from lib.processes import require
from lib.receivers import WALK

# Applies lines, and returns what is shown after each of them.
SCRIPT = """
const [lines, done] = arguments;
import("/model.js").then(({ Model }) => {
  const model = new Model();
  done(lines.map(([line, isNews]) => {
    model.apply(line, 0, isNews);
    return [model.isFound ? model.shown?.name ?? null : null, model.shown?.location?.lat ?? null, model.points.length];
  }));
});
"""

# Returns directions, and the kind of a fix, in words.
WORDS = """
const [directions, location, done] = arguments;
import("/text.js").then(({ direction, quality }) => done([...directions.map(direction), quality(location)]));
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


def model(program, browser, pictures):
    """The model shows what follows from the lines alone, also to a page that is loaded later, in the words of the program."""
    with served(program, WALK) as port:
        browser.get(f"http://localhost:{port}/")
        for name, session in (("live", LIVE), ("loaded after a handover", LOADED), ("loaded after a loss", STALE)):
            shown = browser.execute_async_script(SCRIPT, [[line, is_news] for line, is_news, *_ in session])
            wrong = [(case, got) for case, got in zip(session, shown) if list(case[2:]) != got]
            require(not wrong, f"the model, {name}: {wrong}")
        location = {"quality": "rtkFixed", "dgpsAge": 1.5, "dgpsSta": 77}
        words = browser.execute_async_script(WORDS, [359.7, 0, -90, 348.7, None], location)
        expected = ["0° N", "0° N", "270° W", "349° NNW", "–", "RTK fixed, corrections 1.5 s old, station 77"]
        require(words == expected, f"the words of the page: {words}")
        # A page that is left does not complain of the end of its server.
        browser.get("about:blank")
