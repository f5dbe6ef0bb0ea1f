import LocationCore
import LocationTesting
import TestSupport
import Testing

@Suite struct ReportIntervalTests {
    private func learnt(_ times: [Double], cycle: Duration? = nil) -> ReportInterval {
        var interval = ReportInterval()
        interval.cycle = cycle
        for time in times { interval.note(at: .milliseconds(Int((time * 1000).rounded()))) }
        return interval
    }

    /// The times of reports, the cycle that the daemon names, the median interval, and the time for which a position stays current.
    @Test(
        arguments: [
            // Nothing is known before the second report; one interval is enough to begin with, and the lower of two counts.
            ([], nil, nil, 3), ([5], nil, nil, 3), ([0, 10], nil, 10, 30), ([0, 1, 31], nil, 1, 3),
            // A pause among the last five does not change it, and a new rate does after three.
            ([0, 1, 2, 3, 4, 34, 35], nil, 1, 3), ([0, 1, 2, 3, 4, 5, 15, 25], nil, 1, 3),
            ([0, 1, 2, 3, 4, 5, 15, 25, 35], nil, 10, 30), ([0, 10, 20, 30, 40, 50, 51, 52, 53], nil, 1, 3),
            // A burst is one report.
            ([0, 0, 0, 0, 0, 0], nil, nil, 3),
            // The daemon's cycle counts until three intervals are known.
            ([], 10, nil, 30), ([0, 1, 2], 10, 1, 30), ([0, 1, 2, 3], 10, 1, 3), ([0, 10, 20, 30], 1, 10, 30),
            ([], 3600, nil, 60),
        ] as [([Double], Int?, Int?, Int)])
    func `the interval is the median of the last five`(times: [Double], cycle: Int?, median: Int?, stale: Int) {
        let interval = learnt(times, cycle: cycle.map { .seconds($0) })
        #expect(interval.median == median.map { .seconds($0) })
        #expect(interval.staleAfter == .seconds(stale))
    }

    @Test(arguments: [(0.1, 3), (1, 3), (1.1, 3), (2, 6), (10, 30), (20, 60), (60, 60), (86_400, 60)])
    func `a position stays current for three intervals, from three to sixty seconds`(interval: Double, stale: Int) {
        #expect(
            learnt((0..<8).map { (number: Int) -> Double in Double(number) * interval }).staleAfter == .seconds(stale))
    }

    @Test(arguments: [(3600, 10_800), (28_799, 86_397), (43_200, 86_400)])
    func `the position of a machine elsewhere stays current for a day at most`(interval: Int, stale: Int) {
        var remote = ReportInterval.remote
        for number in 0..<8 { remote.note(at: .seconds(number * interval)) }
        #expect(remote.staleAfter == .seconds(stale))
    }

    @Test func `the reports of a search come in parts`() {
        var interval = ReportInterval()
        for start in [0, 10, 20, 30, 40] {
            for part in 0..<3 { interval.note(at: .seconds(start) + .milliseconds(100 * part), isEpoch: false) }
        }
        #expect(interval.median == .seconds(10))
    }

    @Test func `the time for which a receiver was away does not count as an interval`() {
        var interval = learnt([0])
        interval.interrupt()
        interval.note(at: .seconds(40))
        #expect(interval.median == nil)
        interval.note(at: .seconds(41))
        #expect(interval.median == .seconds(1))
    }

    @Test func `positions carry the interval that their session has learnt, which comparisons ignore`() {
        var tracker = Tracker()
        var updates: [LocationUpdate] = []
        for second in [0.0, 10, 20, 30] {
            let update = LocationUpdate(fix(second), at: moment(second))
            for case .update(let tracked, _) in tracker.results(of: update) {
                #expect(tracked == update && update.reportInterval == nil)
                updates.append(tracked)
            }
        }
        #expect(updates.map { $0.reportInterval?.median } == [nil, .seconds(10), .seconds(10), .seconds(10)])
        #expect(updates.map { $0.reportInterval?.staleAfter } == [3, 30, 30, 30].map { .seconds($0) })
    }

    @Test func `times that go back, and enormous ones, are no intervals that last`() {
        var interval = ReportInterval()
        for time in [
            Duration.seconds(100), .zero, .seconds(Int64.max / 4), .seconds(-5), .seconds(1), .seconds(2), .seconds(3),
        ] {
            interval.note(at: time)
            #expect(Duration.seconds(3)...Duration.seconds(60) ~= interval.staleAfter)
        }
        #expect(interval.median == .seconds(1))
    }
}
