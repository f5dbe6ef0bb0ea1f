"""The metrics of `locwatch web` and of `--metrics-file`, checked by promtool of Prometheus."""
import pathlib
import subprocess
import tempfile
import time
import urllib.request

from browser import TOKEN, served
from lib import ROOT
from lib.processes import require, told
from lib.receivers import WALK

RULES = ROOT / "Examples/prometheus/locwatch.rules.yml"


def promtool(*words, text=None):
    done = subprocess.run(["promtool", *words], input=text, capture_output=True, text=True)
    require(done.returncode == 0, f"promtool {' '.join(words)}: {done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def require_good(metrics):
    complaints = promtool("check", "metrics", text=metrics)
    require(not complaints, complaints)


def series(metrics):
    """Returns the values of metrics by their names with labels."""
    return dict(line.rsplit(" ", 1) for line in metrics.splitlines() if not line.startswith("#"))


def rules():
    promtool("check", "rules", str(RULES))
    promtool("test", "rules", str(RULES.parent / "locwatch.test.yml"))
    print("ok    rules: the alert rules fire and stay silent as their tests say", flush=True)


def file(program):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "locwatch.prom"
        told(program, "watch", "-q", "--pace", "max", "--metrics-file", path, WALK)
        require_good(path.read_text())
    print("ok    file: promtool accepts the file of `watch --metrics-file`", flush=True)


def scraped(program, seconds):
    with tempfile.NamedTemporaryFile("w") as token:
        token.write(TOKEN)
        token.flush()
        with served(program, "--token-file", token.name, "sim:walk") as port:
            request = urllib.request.Request(f"http://localhost:{port}/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
            ever, end, counts = set(), time.monotonic() + seconds, []
            while time.monotonic() < end:
                with urllib.request.urlopen(request, timeout=10) as answer:
                    metrics = answer.read().decode()
                require_good(metrics)
                last = series(metrics)
                ever |= last.keys()
                counts.append(sum(float(value) for name, value in last.items() if name.startswith("locwatch_positions_total")))
                time.sleep(1)
    # A satellite that rises or sets, or a change of state, may begin or end a series; a report may not.
    require(len(ever) <= len(last) + 40, f"{len(ever)} series in {seconds} s, {len(last)} at the end")
    require(last['locwatch_state{state="found"}'] == "1", "not found")
    require(counts == sorted(counts) and counts[-1] >= seconds / 2 - 2, f"the positions are not counted: {counts}")
    print(f"ok    metrics: {len(counts)} answers of {len(last)} series in {seconds} s", flush=True)


def run(program, seconds):
    rules()
    file(program)
    scraped(program, seconds)
