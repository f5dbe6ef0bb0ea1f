"""A browser that is driven by chromedriver, over the WebDriver protocol and Chromium's own commands."""
import base64
import json
import os
import pathlib
import tempfile
import time
import urllib.error
import urllib.request

from lib.processes import Failure, end, free_port, needs, started, wait

LIMIT = 60


class Browser:
    def __init__(self):
        self.port = free_port()
        self.folder = tempfile.TemporaryDirectory()
        self.driver = started([needs("chromedriver"), f"--port={self.port}", "--silent"],
                              env=os.environ | {"TMPDIR": self.folder.name})
        wait(self.is_ready, "chromedriver is not ready")
        arguments = ["--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                     "--no-first-run", "--disable-background-networking", f"--user-data-dir={self.folder.name}/profile"]
        if os.geteuid() == 0:
            arguments.append("--no-sandbox")
        options = {"browserName": "chrome", "goog:loggingPrefs": {"browser": "ALL"}, "goog:chromeOptions": {"args": arguments}}
        answer = self.call("POST", "/session", {"capabilities": {"alwaysMatch": options}})
        self.session = f"/session/{answer['sessionId']}"

    def is_ready(self):
        try:
            return self.call("GET", "/status")["ready"]
        except (urllib.error.URLError, ConnectionError):
            return False

    def call(self, method, path, body=None):
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}", method=method,
            data=None if body is None else json.dumps(body).encode(), headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=LIMIT) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise Failure(f"{path}: {json.load(error)['value']['message'][:300]}") from error

    def open(self, address):
        self.call("POST", f"{self.session}/url", {"url": address})

    def reload(self):
        self.call("POST", f"{self.session}/refresh", {})

    def run(self, script, *arguments):
        return self.call("POST", f"{self.session}/execute/sync", {"script": script, "args": arguments})

    def text(self, selector):
        return self.run("return document.querySelector(arguments[0])?.textContent ?? null", selector)

    def command(self, name, **parameters):
        """Sends a command of Chromium's DevTools protocol."""
        return self.call("POST", f"{self.session}/goog/cdp/execute", {"cmd": name, "params": parameters})

    def look(self, width, height, scheme, ratio=1):
        """Sets the size of the page and the colours that the user prefers."""
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=ratio, mobile=width < 500)
        self.command("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        time.sleep(0.5)

    def press(self, key):
        self.call("POST", f"{self.session}/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": [
            {"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]}]})

    def picture(self, path):
        bytes_ = base64.b64decode(self.call("GET", f"{self.session}/screenshot"))
        pathlib.Path(path).write_bytes(bytes_)

    def complaints(self):
        """Returns what the browser has written into its console since the last call."""
        return [entry["message"] for entry in self.call("POST", f"{self.session}/se/log", {"type": "browser"})]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.call("DELETE", self.session)
        finally:
            end(self.driver)
            self.folder.cleanup()
