"""The page of `locwatch web` in a real Chromium: a drive through a tunnel, a reload, a broken stream, and how it looks."""
import contextlib
import json
import pathlib
import signal
import subprocess
import tempfile
import time

from browser import Browser, free_port, until

TOKEN = "abcdefghijklmnop0123"


@contextlib.contextmanager
def served(program, *words, port=None, environment=None):
    """Runs `locwatch web` and yields its port."""
    port = port or free_port()
    with tempfile.TemporaryFile() as errors:
        server = subprocess.Popen(
            [program, "web", "--port", str(port), *words], stdin=subprocess.DEVNULL, stderr=errors, env=environment)

        def is_listening():
            if server.poll() is not None:
                errors.seek(0)
                raise AssertionError(errors.read().decode())
            errors.seek(0)
            return b"http://" in errors.read()

        try:
            until(is_listening, "locwatch web does not listen")
            yield port
        finally:
            if server.poll() is None:
                server.send_signal(signal.SIGTERM)
                server.wait(30)


def check(condition, what):
    if not condition:
        raise AssertionError(what)


def state(browser):
    return browser.text("#state-word")


def log(browser):
    return browser.run("return [...document.querySelectorAll('#log-rows li')].map((row) => row.textContent)")


def check_console(browser, expected=None):
    lines = [line for line in browser.complaints() if not expected or expected not in line]
    check(not lines, f"the browser complains: {lines}")


def fits(browser, width):
    wide = browser.run("return document.documentElement.scrollWidth")
    check(wide <= width, f"the page is {wide} pixels wide on a screen of {width}")


def is_drawn(browser):
    """Returns whether the map has more than one colour."""
    return browser.run("""
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
        browser.open(f"http://localhost:{port}/")
        until(lambda: state(browser) == "found", "no position on the page")
        until(lambda: is_drawn(browser), "the map is empty")
        until(lambda: browser.run("return document.querySelectorAll('#signal-rows tr').length") > 3, "no signals")
        bars = browser.run("return [...document.querySelectorAll('#signal-rows .bar')].map("
                           "bar => [bar.querySelector('i').getBoundingClientRect().width, Number(bar.textContent)])")
        scales = [width / signal for width, signal in bars if signal >= 20]
        check(len(scales) > 3 and max(scales) < 1.06 * min(scales), f"the bars are not in proportion: {bars}")
        until(lambda: browser.text("#reason").startswith("3D fix"), "the banner keeps the dimensions of the first fix")
        check(browser.text("#position-heading") == "Position", "a current position is not called one")
        check("N" not in browser.text("#coordinate") and "45.0" in browser.text("#coordinate"), browser.text("#coordinate"))
        check(browser.run("return document.querySelectorAll('#sky-plot .used').length") > 3, "no satellite in the sky")
        # In the tunnel.
        until(lambda: state(browser) == "searching", "the loss is not seen")
        check("fix lost, held for" in browser.text("#reason"), browser.text("#reason"))
        check(browser.text("#position-heading") == "Last known position", "a lost position looks current")
        check(browser.run("return document.getElementById('position').classList.contains('stale')"), "not marked as stale")
        until(lambda: "s old" in browser.text("#age"), "the age is not shown")
        check(browser.run("return document.getElementById('state-text').getAttribute('aria-live')") == "polite", "no live region")
        browser.look(360, 740, "light", 2)
        fits(browser, 360)
        browser.picture(pictures / "tunnel-360-light.png")
        browser.look(1440, 900, "dark")
        browser.picture(pictures / "tunnel-1440-dark.png")
        # Behind it.
        until(lambda: state(browser) == "found", "the position is not found again")
        until(lambda: sum("found" in row for row in log(browser)) >= 2, f"{log(browser)}")
        check(any("fix lost, held for" in row for row in log(browser)), f"{log(browser)}")
        browser.look(1440, 900, "light")
        browser.run("document.getElementById('zoom-out').click()")
        until(lambda: browser.run("return document.querySelectorAll('#charts .lost').length") > 0, "no gap in the history")
        browser.picture(pictures / "found-1440-light.png")
        # For the README.
        browser.look(1200, 740, "light")
        browser.picture(pictures / "found-1200-light.png")
        browser.look(360, 740, "dark", 2)
        fits(browser, 360)
        browser.picture(pictures / "found-360-dark.png")
        reload(browser)
        keyboard(browser)
        check_console(browser)


def reload(browser):
    """After a reload the page shows the same track and log."""
    before = [row for row in log(browser) if "fix lost" in row]
    browser.reload()
    until(lambda: state(browser) == "found" and browser.text("#coordinate") != "–", "nothing after a reload")
    check([row for row in log(browser) if "fix lost" in row] == before, f"the log has changed: {log(browser)}")
    label = "return document.querySelector('#charts svg')?.getAttribute('aria-label') ?? ''"
    until(lambda: " to " in browser.run(label), "the history is lost")
    until(lambda: browser.run("return document.querySelectorAll('#charts .lost').length") > 0, "the tunnel is not in the history")


def keyboard(browser):
    """The map obeys the keyboard, and everything that can be operated can be reached."""
    pressed = "return document.getElementById('follow').getAttribute('aria-pressed')"
    browser.run("document.getElementById('map-frame').focus()")
    browser.press("\ue014")  # arrow to the right
    until(lambda: browser.run(pressed) == "false", "an arrow does not move the map")
    browser.press("0")
    until(lambda: browser.run(pressed) == "true", "0 does not follow again")
    browser.press("\ue004")  # tab
    check(browser.run("return document.activeElement.id") == "zoom-in", "tab does not reach the buttons")


def broken_stream(program, browser, pictures):
    """The page says that its stream is broken, shows no position as current, and comes back by itself."""
    walk = str(pathlib.Path(__file__).resolve().parents[2] / "Fixtures/walk/session.json")
    with served(program, walk) as port:
        browser.look(1440, 900, "light")
        browser.open(f"http://localhost:{port}/")
        until(lambda: state(browser) == "found", "no position on the page")
        browser.run("window.isSamePage = true")
    until(lambda: state(browser) == "disconnected", "the broken stream is not noticed")
    check("broken" in browser.text("#stream"), browser.text("#stream"))
    check(browser.text("#position-heading") == "Last known position", "a position without a stream looks current")
    browser.picture(pictures / "broken-1440-light.png")
    with served(program, walk, port=port):
        until(lambda: state(browser) == "found" and browser.text("#stream") == "", "the stream does not come back")
        check(browser.run("return window.isSamePage"), "the page was loaded anew")
    check_console(browser, "ERR_")


def token(program, browser, pictures):
    """The page takes the token from its address, and asks for it otherwise."""
    walk = str(pathlib.Path(__file__).resolve().parents[2] / "Fixtures/walk/session.json")
    with tempfile.NamedTemporaryFile("w") as file:
        file.write(TOKEN + "\n")
        file.flush()
        with served(program, "--token-file", file.name, walk) as port:
            browser.open(f"http://localhost:{port}/")
            until(lambda: not browser.run("return document.getElementById('sign-in').hidden"), "no question for the token")
            browser.open(f"http://127.0.0.1:{port}/#{TOKEN}x")
            until(lambda: browser.text("#sign-in-failure"), "a wrong token is taken")
            browser.open(f"http://[::1]:{port}/#{TOKEN}")
            until(lambda: state(browser) == "found", "the token is not taken")
            check(browser.run("return location.hash + document.cookie") == "", "a script can read the token")
            browser.reload()
            until(lambda: state(browser) == "found", "the token is forgotten")
    browser.complaints()


def receivers(program, browser, pictures):
    """A session with two receivers lists both."""
    devices = str(pathlib.Path(__file__).resolve().parents[2] / "Fixtures/two-devices/session.json")
    with served(program, "--pace", "max", devices) as port:
        browser.open(f"http://localhost:{port}/")
        until(lambda: browser.run("return document.querySelectorAll('#receiver-rows tr').length") == 2, "not both receivers")
        until(lambda: "ended" in browser.text("#reason"), "the end of the recording is not shown")
    browser.complaints()


def fleet(program, browser, pictures):
    """The devices of a fleet are listed and drawn, each with its own state."""
    port, now = free_port(), int(time.time())
    with tempfile.NamedTemporaryFile("w") as file:
        file.write(f"listener {port} 127.0.0.1\nallow_anonymous true\n")
        file.flush()
        broker = subprocess.Popen(["mosquitto", "-c", file.name], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            def publish(number):
                message = {"_type": "location", "lat": 45 + number / 100, "lon": 7 + number / 50, "acc": 5, "tst": now + number}
                return subprocess.run(
                    ["mosquitto_pub", "-p", str(port), "-r", "-t", f"owntracks/fleet/truck{number}", "-m", json.dumps(message)],
                    stderr=subprocess.DEVNULL).returncode == 0
            until(lambda: publish(0), "mosquitto does not listen")
            with served(program, f"mqtt://127.0.0.1:{port}/owntracks/+/+") as page:
                browser.look(1440, 900, "light")
                browser.open(f"http://localhost:{page}/")
                until(lambda: browser.text("#place"), "the page does not open")
                for number in range(1, 6):
                    publish(number)
                rows = "return [...document.querySelectorAll('#receiver-rows tr')].map((row) => row.textContent)"
                until(lambda: sum("found" in row for row in browser.run(rows)) >= 5, "not all devices are found")
                check(any("truck0" in row and "found" not in row for row in browser.run(rows)), "a last known position is missing")
                check(any("truck5" in row for row in browser.run(rows)), browser.run(rows))
                until(lambda: is_drawn(browser), "the map is empty")
                check(browser.run("return document.getElementById('sky').checkVisibility()") is False, "a fleet has no sky of its own")
                browser.picture(pictures / "fleet-1440-light.png")
                check_console(browser)
        finally:
            broker.terminate()
            broker.wait()


SCENARIOS = {"tunnel": tunnel, "broken": broken_stream, "token": token, "receivers": receivers, "fleet": fleet}


def run(program, pictures, names):
    with Browser() as browser:
        for name in names or SCENARIOS:
            SCENARIOS[name](program, browser, pictures)
            print(f"ok    {name}: {SCENARIOS[name].__doc__}", flush=True)
