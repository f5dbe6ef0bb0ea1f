"""The server of the page, and Chromium without a window, driven by Selenium."""
import contextlib
import os
import time

from lib.processes import await_port, free_port, needs, running
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains


TOKEN = "abcdefghijklmnop0123"


@contextlib.contextmanager
def served(program, *words, port=None):
    """Runs `locwatch web` and yields its port."""
    port = port or free_port()
    with running(program, "web", "-q", "--port", port, *words, stderr=None) as process:
        await_port(port, process=process)
        yield port


class Browser(webdriver.Chrome):
    def __init__(self):
        options = webdriver.ChromeOptions()
        for argument in ("--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--no-first-run",
                         "--disable-background-networking", *(["--no-sandbox"] if os.geteuid() == 0 else [])):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        super().__init__(options=options, service=Service(needs("chromedriver")))

    def text(self, selector):
        return self.execute_script("return document.querySelector(arguments[0])?.textContent ?? null", selector)

    def look(self, width, height, scheme, ratio=1):
        """Sets the size of the page and the colours that the user prefers."""
        self.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": ratio, "mobile": width < 500})
        self.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
        time.sleep(0.5)

    def press(self, key):
        ActionChains(self).send_keys(key).perform()

    def complaints(self):
        """Returns what the browser has written into its console since the last call."""
        return [entry["message"] for entry in self.get_log("browser")]
