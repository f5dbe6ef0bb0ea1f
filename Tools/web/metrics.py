"""The metrics of `locwatch web` and of `--metrics-file`, checked by promtool and scraped by a real Prometheus."""
import contextlib
import json
import pathlib
import subprocess
import tempfile
import time
import urllib.parse
import urllib.request

from browser import TOKEN, served
from lib import ROOT
from lib.processes import free_port, require, running, wait
from lib.receivers import WALK

RULES = ROOT / "Examples/prometheus/locwatch.rules.yml"

CONFIGURATION = """
global: {{scrape_interval: 1s, evaluation_interval: 1s}}
rule_files: ["{rules}"]
scrape_configs:
  - job_name: locwatch
    authorization: {{credentials_file: {token}}}
    static_configs: [{{targets: ["localhost:{port}"]}}]
"""


def promtool(*words, text=None):
    done = subprocess.run(["promtool", *words], input=text, capture_output=True, text=True)
    require(done.returncode == 0, f"promtool {' '.join(words)}: {done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def query(port, expression):
    words = urllib.parse.urlencode({"query": expression})
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/v1/query?{words}", timeout=30) as answer:
        return json.load(answer)["data"]["result"]


def rules():
    promtool("check", "rules", str(RULES))
    promtool("test", "rules", str(RULES.parent / "locwatch.test.yml"))
    print("ok    rules: the alert rules fire and stay silent as their tests say", flush=True)


def file(program):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "locwatch.prom"
        subprocess.run([program, "watch", "-q", "--pace", "max", "--metrics-file", path, WALK], check=True, stdout=subprocess.DEVNULL)
        said = promtool("check", "metrics", text=path.read_text())
        require(not said, said)
    print("ok    file: promtool accepts the file of `watch --metrics-file`", flush=True)


def scraped(program, seconds):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        token = folder / "token"
        token.write_text(TOKEN)
        token.chmod(0o600)
        own = free_port()
        with served(program, "--token-file", token, "sim:walk") as port, open(folder / "output", "w") as output:
            (folder / "prometheus.yml").write_text(CONFIGURATION.format(rules=RULES, token=token, port=port))
            # The output goes to a file: a full pipe would stop the server.
            with running("prometheus", f"--config.file={folder}/prometheus.yml", f"--storage.tsdb.path={folder}/data",
                         f"--web.listen-address=127.0.0.1:{own}", stdout=output, stderr=output) as server:
                def value(expression):
                    return float(query(own, expression)[0]["value"][1])

                def is_scraping():
                    require(server.poll() is None, "prometheus has ended")
                    with contextlib.suppress(OSError):
                        return query(own, 'up{job="locwatch"} == 1') and query(own, "locwatch_latitude_degrees")

                wait(is_scraping, "prometheus scrapes nothing", 120)
                request = urllib.request.Request(f"http://localhost:{port}/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
                with urllib.request.urlopen(request) as answer:
                    said = promtool("check", "metrics", text=answer.read().decode())
                    require(not said, said)
                time.sleep(seconds)
                samples = value(f"count_over_time(locwatch_latitude_degrees[{seconds}s])")
                require(samples >= seconds // 2, f"{samples:.0f} samples in {seconds} s")
                require(query(own, "min_over_time(up[1m]) == 1"), "a scrape has failed")
                series = value('count({__name__=~"locwatch_.+"})')
                ever = value(f'count(last_over_time({{__name__=~"locwatch_.+"}}[{seconds + 60}s]))')
                # A satellite that rises or sets, or a change of state, may begin or end a series; a report may not.
                require(ever <= series + 40, f"{ever:.0f} series in {seconds} s, {series:.0f} at the end")
                require(value('locwatch_state{state="found"}') == 1, "not found")
                require(query(own, "rate(locwatch_positions_total[20s]) > 0.5"), "the positions are not counted")
                require(not query(own, 'ALERTS{alertstate="firing"}'), "an alert fires")
    print(f"ok    metrics: Prometheus took {samples:.0f} samples of {series:.0f} series in {seconds} s", flush=True)


def run(program, seconds):
    rules()
    file(program)
    scraped(program, seconds)
