import LocationCore
import Testing

@testable import LocationRecordings

struct RecordingClockTests {
    private let start = Timestamp("2026-11-20T09:00:00Z") ?? Timestamp(nanosecondsSince1970: 0)
    private var clock = RecordingClock()

    @Test func `a new clock has no time`() {
        #expect(clock.now == nil)
    }

    @Test mutating func `the clock follows the host's time until the recording provides one`() {
        clock.pass(to: Moment(elapsed: .seconds(2), wall: at(100)))
        clock.pass(to: Moment(elapsed: .seconds(3), wall: at(101)))
        #expect(clock.now == Moment(elapsed: .seconds(3), wall: at(101)))
        #expect(heard([("a", 7), ("a", 9)]) == [3, 5])
        clock.pass(to: Moment(elapsed: .seconds(60), wall: at(160)))
        #expect(clock.now == Moment(elapsed: .seconds(5), wall: at(103)))
    }

    @Test mutating func `stamps give the time since the first stamp`() {
        #expect(arrivals([0, 1, 1, 2.5]) == [0, 1, 1, 2.5])
        #expect(clock.now?.wall == at(2.5))
    }

    @Test mutating func `setting the host's clock back does not turn session time back`() {
        #expect(arrivals([0, 10, 4, 5, 7]) == [0, 10, 10, 11, 13])
        #expect(clock.now?.wall == at(7))
    }

    @Test mutating func `a host that learns the date adds no years to session time`() {
        #expect(arrivals([-1_000_000_000, -999_999_999, 0, 1]) == [0, 1, 1, 2])
        #expect(clock.now?.wall == at(1))
    }

    @Test mutating func `a gap of a night counts as passed time`() {
        #expect(arrivals([0, 50_000, 50_001]) == [0, 50_000, 50_001])
    }

    @Test mutating func `a pause of days between a receiver's own times counts as passed time`() {
        #expect(heard([("a", 0), ("a", 90_000), ("a", 90_001)]) == [0, 90_000, 90_001])
    }

    @Test mutating func `a receiver's own times count if there are no stamps`() {
        #expect(heard([("a", 0), ("a", 1), ("a", 3)]) == [0, 1, 3])
        #expect(clock.now?.wall == at(3))
    }

    @Test mutating func `the reports' own times do not count if there are stamps`() {
        clock.arrive(at: at(0))
        clock.hear(at(500), from: "a")
        #expect(clock.now == Moment(elapsed: .zero, wall: at(0)))
    }

    @Test mutating func `a report slightly out of order neither reverses nor repeats session time`() {
        #expect(heard([("a", 0), ("a", 5), ("a", 4), ("a", 5), ("a", 6)]) == [0, 5, 5, 5, 6])
        #expect(clock.now?.wall == at(6))
    }

    @Test mutating func `session time continues with the second fix after a time that went back by seconds for good`() {
        #expect(heard([("a", 0), ("a", 24), ("a", 11), ("a", 12), ("a", 19), ("a", 30)]) == [0, 24, 24, 25, 32, 43])
        #expect(clock.now?.wall == at(30))
    }

    @Test mutating func `late fixes, single or in a row, add no time in all`() {
        #expect(heard([("a", 0), ("a", 10), ("a", 5), ("a", 11), ("a", 6), ("a", 12)]) == [0, 10, 10, 11, 11, 12])
        clock = RecordingClock()
        #expect(heard([("a", 0), ("a", 10), ("a", 5), ("a", 6), ("a", 11), ("a", 12)]) == [0, 10, 10, 11, 11, 12])
    }

    @Test mutating func `satellites that are dated behind the fixes turn no time back`() {
        for second in [10.0, 11, 12] {
            clock.hear(at(second), from: "a")
            for part in [1.8, 1.6, 1.4] { clock.hear(at(second - part), from: "a", isOfFix: false) }
            #expect(elapsed == second - 10 && clock.now?.wall == at(second))
        }
    }

    @Test mutating func `session time continues after a receiver's clock was set back`() {
        #expect(heard([("a", 0), ("a", 100), ("a", -9900), ("a", -9899)]) == [0, 100, 100, 101])
        #expect(clock.now?.wall == at(-9899))
    }

    @Test mutating func `a single time in the past does not add the hours since then`() {
        #expect(heard([("a", 0), ("a", 1), ("a", -18_000), ("a", 3), ("a", 4)]) == [0, 1, 1, 3, 4])
        #expect(clock.now?.wall == at(4))
    }

    @Test mutating func `several times in the past add only their own steps`() {
        #expect(
            heard([("a", 0), ("a", 1), ("a", -18_000), ("a", -17_999), ("a", -20_000), ("a", 4), ("a", 5)])
                == [0, 1, 1, 2, 2, 4, 5])
    }

    @Test mutating func `a clock that was set back continues past its earlier time`() {
        #expect(
            heard([("a", 0), ("a", 100), ("a", 0), ("a", 50), ("a", 100), ("a", 150), ("a", 300)])
                == [0, 100, 100, 150, 200, 250, 400])
    }

    @Test mutating func `a clock of long steps that was set back loses none of them`() {
        #expect(
            heard([("a", 0), ("a", 120), ("a", 240), ("a", 0), ("a", 120), ("a", 240), ("a", 360)])
                == [0, 120, 240, 240, 360, 480, 600])
    }

    @Test mutating func `a week rollover adds no session time`() {
        let weeks = 1024.0 * 7 * 86_400
        #expect(heard([("a", -weeks), ("a", 1 - weeks), ("a", 2), ("a", 3)]) == [0, 1, 1, 2])
        #expect(clock.now?.wall == at(3))
    }

    /// u-blox receivers in gpsd's captures send SKY with a date years ago and TPV with the right one.
    @Test mutating func `alternating dates years apart do not add up to years`() {
        let years = 98_582_400.0
        #expect(heard([("a", 0), ("a", -years), ("a", 1), ("a", 2)]) == [0, 0, 1, 2])
    }

    @Test mutating func `receivers with different clocks share session time, and the wall clock follows the first`() {
        #expect(
            heard([("a", 0), ("b", 5000), ("a", 1), ("b", 5001), ("a", 2), ("b", 5002.5)]) == [0, 0, 1, 1, 2, 2.5])
        #expect(clock.now?.wall == at(2.5))
    }

    @Test mutating func `a second receiver advances the time after the first has stopped`() {
        #expect(heard([("a", 0), ("b", -700), ("b", -699), ("b", -690)]) == [0, 0, 1, 10])
        #expect(clock.now?.wall == at(10))
    }

    @Test mutating func `reports without a device count as a separate receiver`() {
        #expect(heard([(nil, 0), ("b", 100), (nil, 2)]) == [0, 0, 2])
    }

    @Test mutating func `a moment in the recording counts, but never turns session time back`() {
        clock.arrive(at: Moment(elapsed: .seconds(5), wall: at(5)))
        clock.arrive(at: Moment(elapsed: .seconds(3), wall: at(-100)))
        #expect(clock.now == Moment(elapsed: .seconds(5), wall: at(-100)))
    }

    @Test mutating func `extreme timestamps do not overflow`() {
        for _ in 0..<100 {
            clock.arrive(at: Timestamp(nanosecondsSince1970: .min))
            clock.arrive(at: Timestamp(nanosecondsSince1970: .max))
        }
        #expect(clock.now?.elapsed == .zero)
    }

    @Test mutating func `receivers beyond the limit of a fleet do not move the clock`() {
        for number in 0..<ReportTranslator.fleetLimit + 10 { clock.hear(at(0), from: String(number)) }
        clock.hear(at(5), from: String(ReportTranslator.fleetLimit + 5))
        #expect(elapsed == 0)
        clock.hear(at(5), from: "7")
        #expect(elapsed == 5)
    }

    private func at(_ seconds: Double) -> Timestamp { start.advanced(by: .seconds(seconds)) }

    private mutating func arrivals(_ stamps: [Double]) -> [Double] {
        stamps.map { stamp in
            clock.arrive(at: at(stamp))
            return elapsed
        }
    }

    private mutating func heard(_ reports: [(device: String?, time: Double)]) -> [Double] {
        reports.map { report in
            clock.hear(at(report.time), from: report.device)
            return elapsed
        }
    }

    private var elapsed: Double { (clock.now?.elapsed ?? .zero).inSeconds }
}
