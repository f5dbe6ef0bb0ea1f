import concurrent.futures
import time

import pytest
from odometer import Odometer


def test_a_walk_of_ten_minutes_is_measured(gpsd):
    odometer = Odometer(gpsd.port)
    gpsd("wait clients 1")
    gpsd("step 10m")
    odometer.read(until="2026-01-01T00:10:00.000Z")
    assert odometer.metres == pytest.approx(1.35 * 600, rel=0.1)


def test_without_a_fix_nothing_is_added(gpsd):
    odometer = Odometer(gpsd.port)
    gpsd("wait clients 1")
    gpsd("lose")
    gpsd("step 30s")
    odometer.read(until="2026-01-01T00:00:30.000Z")
    assert not odometer.has_fix and odometer.metres == 0
    gpsd("restore")
    gpsd("step 10s")
    odometer.read(until="2026-01-01T00:00:40.000Z")
    assert odometer.has_fix and 5 < odometer.metres < 25


def test_a_leap_is_not_a_distance(gpsd):
    odometer = Odometer(gpsd.port)
    gpsd("wait clients 1")
    gpsd("step 5s")
    gpsd("jump 3km")
    gpsd("step 5s")
    odometer.read(until="2026-01-01T00:00:10.000Z")
    assert odometer.metres < 40


def test_the_program_asks_for_json(gpsd):
    odometer = Odometer(gpsd.port)
    gpsd("wait clients 1")
    odometer.session.close()
    assert '"json":true' in gpsd("requests")["requests"][-1]["text"]


def test_an_hour_takes_seconds(gpsd):
    odometer = Odometer(gpsd.port)
    gpsd("wait clients 1")
    start = time.monotonic()
    # The hour is read while it passes: it is more than a socket holds.
    with concurrent.futures.ThreadPoolExecutor() as pool:
        step = pool.submit(gpsd, "step 1h")
        odometer.read(until="2026-01-01T01:00:00.000Z")
        step.result()
    print(f"an hour took {time.monotonic() - start:.1f} s")
    assert odometer.metres == pytest.approx(1.35 * 3600, rel=0.1)
