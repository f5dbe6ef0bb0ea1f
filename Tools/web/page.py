"""The page of `locwatch web` in a real Chromium: a drive through a tunnel, a reload, a broken stream, and how it looks."""
import json
import subprocess
import tempfile
import time

from browser import TOKEN, Browser, served
from lib import ROOT
from lib.brokers import Mosquitto
from lib.processes import require, wait
from lib.receivers import WALK
from model import model
from tiles import tiles
from selenium.webdriver.common.keys import Keys


def state(browser):
    return browser.text("#state-word")


def log(browser):
    return browser.execute_script("return [...document.querySelectorAll('#log-rows li')].map((row) => row.textContent)")


def check_console(browser, expected=None):
    lines = [line for line in browser.complaints() if not expected or expected not in line]
    require(not lines, f"the browser complains: {lines}")


def fits(browser, width):
    wide = browser.execute_script("return document.documentElement.scrollWidth")
    require(wide <= width, f"the page is {wide} pixels wide on a screen of {width}")


def is_drawn(browser):
    """Returns whether the map has more than one colour."""
    return browser.execute_script("""
        const canvas = document.getElementById("map-canvas");
        const bytes = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
        const colours = new Set();
        for (let place = 0; place < bytes.length; place += 4) colours.add(bytes[place] * 65536 + bytes[place + 1] * 256 + bytes[place + 2]);
        return colours.size > 8;
        """)


def tunnel(program, browser, pictures):
    """A simulated drive through a tunnel: found, searching with its reason, found again."""
    with served(program, "--fence", "station=45.0678,7.6626,60", "sim:tunnel") as port:
        browser.look(1440, 900, "light")
        browser.get(f"http://localhost:{port}/")
        wait(lambda: state(browser) == "found", "no position on the page")
        wait(lambda: is_drawn(browser), "the map is empty")
        wait(lambda: browser.execute_script("return document.querySelectorAll('#signal-rows tr').length") > 3, "no signals")
        bars = browser.execute_script("return [...document.querySelectorAll('#signal-rows .bar')].map("
                                      "bar => [bar.querySelector('i').getBoundingClientRect().width, Number(bar.textContent)])")
        scales = [width / signal for width, signal in bars if signal >= 20]
        require(len(scales) > 3 and max(scales) < 1.06 * min(scales), f"the bars are not in proportion: {bars}")
        wait(lambda: browser.text("#reason").startswith("3D fix"), "the banner keeps the dimensions of the first fix")
        require(browser.text("#position-heading") == "Position", "a current position is not called one")
        require("N" not in browser.text("#coordinate") and "45.0" in browser.text("#coordinate"), browser.text("#coordinate"))
        require(browser.execute_script("return document.querySelectorAll('#sky-plot .used').length") > 3, "no satellite in the sky")
        # In the tunnel.
        wait(lambda: state(browser) == "searching", "the loss is not seen")
        require("fix lost, held for" in browser.text("#reason"), browser.text("#reason"))
        require(browser.text("#position-heading") == "Last known position", "a lost position looks current")
        require(browser.execute_script("return document.getElementById('position').classList.contains('stale')"), "not marked as stale")
        wait(lambda: "s old" in browser.text("#age"), "the age is not shown")
        require(browser.execute_script("return document.getElementById('state-text').getAttribute('aria-live')") == "polite", "no live region")
        browser.look(360, 740, "light", 2)
        fits(browser, 360)
        browser.save_screenshot(str(pictures / "tunnel-360-light.png"))
        browser.look(1440, 900, "dark")
        browser.save_screenshot(str(pictures / "tunnel-1440-dark.png"))
        # Behind it.
        wait(lambda: state(browser) == "found", "the position is not found again")
        wait(lambda: sum("found" in row for row in log(browser)) >= 2, f"{log(browser)}")
        require(any("fix lost, held for" in row for row in log(browser)), f"{log(browser)}")
        browser.look(1440, 900, "light")
        browser.execute_script("document.getElementById('zoom-out').click()")
        wait(lambda: browser.execute_script("return document.querySelectorAll('#charts .lost').length") > 0, "no gap in the history")
        browser.save_screenshot(str(pictures / "found-1440-light.png"))
        # For the README.
        browser.look(1200, 740, "light")
        browser.save_screenshot(str(pictures / "found-1200-light.png"))
        browser.look(360, 740, "dark", 2)
        fits(browser, 360)
        browser.save_screenshot(str(pictures / "found-360-dark.png"))
        reload(browser)
        keyboard(browser)
        check_console(browser)


def reload(browser):
    """After a reload the page shows the same track and log."""
    before = [row for row in log(browser) if "fix lost" in row]
    browser.refresh()
    wait(lambda: state(browser) == "found" and browser.text("#coordinate") != "–", "nothing after a reload")
    require([row for row in log(browser) if "fix lost" in row] == before, f"the log has changed: {log(browser)}")
    label = "return document.querySelector('#charts svg')?.getAttribute('aria-label') ?? ''"
    wait(lambda: " to " in browser.execute_script(label), "the history is lost")
    wait(lambda: browser.execute_script("return document.querySelectorAll('#charts .lost').length") > 0, "the tunnel is not in the history")


def keyboard(browser):
    """The map obeys the keyboard, and everything that can be operated can be reached."""
    pressed = "return document.getElementById('follow').getAttribute('aria-pressed')"
    browser.execute_script("document.getElementById('map-frame').focus()")
    browser.press(Keys.ARROW_RIGHT)
    wait(lambda: browser.execute_script(pressed) == "false", "an arrow does not move the map")
    browser.press("0")
    wait(lambda: browser.execute_script(pressed) == "true", "0 does not follow again")
    browser.press(Keys.TAB)
    require(browser.execute_script("return document.activeElement.id") == "zoom-in", "tab does not reach the buttons")


def broken_stream(program, browser, pictures):
    """The page says that its stream is broken, shows no position as current, and comes back by itself."""
    with served(program, WALK) as port:
        browser.look(1440, 900, "light")
        browser.get(f"http://localhost:{port}/")
        wait(lambda: state(browser) == "found", "no position on the page")
        browser.execute_script("window.isSamePage = true")
    wait(lambda: state(browser) == "disconnected", "the broken stream is not noticed")
    require("broken" in browser.text("#stream"), browser.text("#stream"))
    require(browser.text("#position-heading") == "Last known position", "a position without a stream looks current")
    browser.save_screenshot(str(pictures / "broken-1440-light.png"))
    with served(program, WALK, port=port):
        wait(lambda: state(browser) == "found" and browser.text("#stream") == "", "the stream does not come back")
        require(browser.execute_script("return window.isSamePage"), "the page was loaded anew")
    check_console(browser, "ERR_")


def token(program, browser, pictures):
    """The page takes the token from its address, and asks for it otherwise."""
    with tempfile.NamedTemporaryFile("w") as file:
        file.write(TOKEN + "\n")
        file.flush()
        with served(program, "--token-file", file.name, WALK) as port:
            browser.get(f"http://localhost:{port}/")
            wait(lambda: not browser.execute_script("return document.getElementById('sign-in').hidden"), "no question for the token")
            browser.get(f"http://127.0.0.1:{port}/#{TOKEN}x")
            wait(lambda: browser.text("#sign-in-failure"), "a wrong token is taken")
            browser.get(f"http://[::1]:{port}/#{TOKEN}")
            wait(lambda: state(browser) == "found", "the token is not taken")
            require(browser.execute_script("return location.hash + document.cookie") == "", "a script can read the token")
            browser.refresh()
            wait(lambda: state(browser) == "found", "the token is forgotten")
    browser.complaints()


def receivers(program, browser, pictures):
    """A session with two receivers lists both."""
    with served(program, "--pace", "max", ROOT / "Fixtures/two-devices/session.json") as port:
        browser.get(f"http://localhost:{port}/")
        wait(lambda: browser.execute_script("return document.querySelectorAll('#receiver-rows tr').length") == 2, "not both receivers")
        wait(lambda: "ended" in browser.text("#reason"), "the end of the recording is not shown")
    browser.complaints()


def fleet(program, browser, pictures):
    """The devices of a fleet are listed and drawn, each with its own state."""
    now = int(time.time())

    def publish(number):
        message = {"_type": "location", "lat": 45 + number / 100, "lon": 7 + number / 50, "acc": 5, "tst": now + number}
        subprocess.run(["mosquitto_pub", "-p", str(broker.port), "-r", "-t", f"owntracks/fleet/truck{number}", "-m", json.dumps(message)],
                       check=True)

    with Mosquitto() as broker:
        publish(0)
        with served(program, f"{broker.word}/owntracks/+/+") as port:
            browser.look(1440, 900, "light")
            browser.get(f"http://localhost:{port}/")
            wait(lambda: browser.text("#place"), "the page does not open")
            for number in range(1, 6):
                publish(number)
            rows = "return [...document.querySelectorAll('#receiver-rows tr')].map((row) => row.textContent)"
            wait(lambda: sum("found" in row for row in browser.execute_script(rows)) >= 5, "not all devices are found")
            require(any("truck0" in row and "found" not in row for row in browser.execute_script(rows)), "a last known position is missing")
            require(any("truck5" in row for row in browser.execute_script(rows)), browser.execute_script(rows))
            wait(lambda: is_drawn(browser), "the map is empty")
            require(browser.execute_script("return document.getElementById('sky').checkVisibility()") is False, "a fleet has no sky of its own")
            browser.save_screenshot(str(pictures / "fleet-1440-light.png"))
            check_console(browser)


SCENARIOS = {"model": model, "tunnel": tunnel, "broken": broken_stream, "token": token, "receivers": receivers, "fleet": fleet,
             "tiles": tiles}


def run(program, pictures, names):
    with Browser() as browser:
        for name in names:
            SCENARIOS[name](program, browser, pictures)
            print(f"ok    {name}: {SCENARIOS[name].__doc__}", flush=True)
