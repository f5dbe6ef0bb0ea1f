import LocwatchMonitor

extension ManualPage {
    /// Appends the section about the full-screen monitor.
    static func monitor(_ page: inout Roff) {
        page.section("MONITOR")
        page.text(
            "The screen of locwatch monitor has boxes for the position with the state and its reason, the sky with "
                + "north up, the signals, the last ten minutes, the receivers, and a log of what has happened. Filled "
                + "marks are satellites that are used, hollow ones are only seen. A small terminal shows fewer boxes, "
                + "but always the position and the state; from 120 columns and 40 rows on there is the track of "
                + "the last ten minutes while the receiver moves, or else the scatter of where it stands; from 160 columns on "
                + "there are raw lines.")
        page.paragraph()
        page.text(
            "The figures beside a graph of the history are the lowest and the highest value in it; the graph has means. "
                + "The figure beside the bar of a satellite is its last signal; the bar and the colours follow the mean of some "
                + "seconds. If gpsd compares the clocks, clock is the time of this machine minus that of the receiver, at "
                + "its pulse (PPS) or at the first data of an epoch (TOFF); delay is the time from a fix to its arrival. "
                + "The position has more figures than fit a small screen: hide the history with 3 to see all of them.")
        page.paragraph()
        page.text(
            "A fleet of devices is a table, sorted by state and age. The memory is limited: ten minutes of positions, "
                + "an hour by the second, and the last lines of the source, which w saves. Of several receivers the first four have an hour of their own; "
                + "that of another one, and of a device of a fleet, begins when it is chosen. The keys are:")
        for (key, meaning) in HelpBox.keys {
            page.term(Roff.bold(key))
            page.text(meaning)
        }
    }
}
