"""The program under test: measures the distance of a drive with python3-gps."""
import math

import gps


class Odometer:
    def __init__(self, port, host="localhost"):
        self.session = gps.gps(host=host, port=port, mode=gps.WATCH_ENABLE | gps.WATCH_NEWSTYLE)
        self.metres = 0.0
        self.has_fix = False
        self.last = None

    def read(self, until):
        """Reads reports up to a time such as 2026-01-01T00:10:00.000Z."""
        for report in self.session:
            if report["class"] != "TPV":
                continue
            self.has_fix = report.get("mode", 0) >= 2
            if not self.has_fix:
                self.last = None
            else:
                here = (math.radians(report["lat"]), math.radians(report["lon"]))
                if self.last is not None:
                    north = here[0] - self.last[0]
                    east = (here[1] - self.last[1]) * math.cos(here[0])
                    step = 6371000 * math.hypot(north, east)
                    # A walker makes no leap of 100 m.
                    if step < 100:
                        self.metres += step
                self.last = here
            if report.get("time", "") >= until:
                return
