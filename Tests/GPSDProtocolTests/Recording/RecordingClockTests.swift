import LocationCore
import Testing

@testable import GPSDProtocol

struct RecordingClockTests {
    private let start = Timestamp("2026-11-20T09:00:00Z") ?? Timestamp(nanosecondsSince1970: 0)
    private var clock = RecordingClock()

    @Test mutating func `the clock has no time, and follows the host's until the recording provides one`() {
        #expect(clock.now == nil)
        clock.pass(to: Moment(elapsed: .seconds(2), wall: at(100)))
        clock.pass(to: Moment(elapsed: .seconds(3), wall: at(101)))
        #expect(clock.now == Moment(elapsed: .seconds(3), wall: at(101)))
        #expect(heard([7, 9]) == [3, 5])
        clock.pass(to: Moment(elapsed: .seconds(60), wall: at(160)))
        #expect(clock.now == Moment(elapsed: .seconds(5), wall: at(9)))
    }

    @Test(arguments: [
        Story("the time since the first stamp", [0, 1, 1, 2.5], [0, 1, 1, 2.5], wall: 2.5),
        Story("a host's clock that is set back turns no time back", [0, 10, 4, 5, 7], [0, 10, 10, 11, 13], wall: 7),
        Story(
            "a host that learns the date adds no years", [-1_000_000_000, -999_999_999, 0, 1], [0, 1, 1, 2], wall: 1),
        Story("a gap of a night counts as passed time", [0, 50_000, 50_001], [0, 50_000, 50_001], wall: 50_001),
    ])
    mutating func `session time is that of the stamps`(story: Story) {
        for (time, seconds) in zip(story.times, story.elapsed) {
            clock.arrive(at: at(time))
            #expect(elapsed == seconds)
        }
        #expect(clock.now?.wall == story.wall.map(at))
    }

    /// Reports, each with its time in seconds.
    struct Story: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let times: [Double]
        /// The session's time after each report, and the civil time after the last.
        let elapsed: [Double]
        let wall: Double?

        init(_ name: String, _ times: [Double], _ elapsed: [Double], wall: Double? = nil) {
            (testDescription, self.times, self.elapsed, self.wall) = (name, times, elapsed, wall)
        }
    }

    /// The offset of a recording that is 1,024 weeks old.
    private static let weeks = 1024.0 * 7 * 86_400

    private static let stories = [
        Story("a pause of days counts as passed time", [0, 90_000, 90_001], [0, 90_000, 90_001]),
        Story("usual times", [0, 1, 3], [0, 1, 3], wall: 3),
        Story(
            "a report slightly out of order neither reverses nor repeats time",
            [0, 5, 4, 5, 6], [0, 5, 5, 5, 6], wall: 6),
        Story(
            "time went back by seconds for good: it continues with the second fix",
            [0, 24, 11, 12, 19, 30], [0, 24, 24, 25, 32, 43], wall: 30),
        Story("a clock was set back", [0, 100, -9900, -9899], [0, 100, 100, 101], wall: -9899),
        Story(
            "a single time in the past does not add the hours since then",
            [0, 1, -18_000, 3, 4], [0, 1, 1, 3, 4], wall: 4),
        Story(
            "several times in the past add only their own steps",
            [0, 1, -18_000, -17_999, -20_000, 4, 5], [0, 1, 1, 2, 2, 4, 5]),
        Story(
            "a clock that was set back continues past its earlier time",
            [0, 100, 0, 50, 100, 150, 300], [0, 100, 100, 150, 200, 250, 400]),
        Story(
            "a clock of long steps that was set back loses none of them",
            [0, 120, 240, 0, 120, 240, 360], [0, 120, 240, 240, 360, 480, 600]),
        Story(
            "two receivers side by side are dated by the later one, which adds its lead once",
            [0, 5000, 1, 5001, 2, 5002.5], [0, 5000, 5000, 5001, 5001, 5002.5], wall: 5002.5),
        Story(
            "a receiver that is ahead by the leap seconds adds them once", [0, 18, 1, 19, 2, 20],
            [0, 18, 18, 19, 19, 20]),
        Story(
            "a receiver that is behind advances the time after the other one has stopped",
            [0, -700, -699, -690], [0, 0, 1, 10], wall: -690),
        Story("late fixes, each followed by a newer one", [0, 10, 5, 11, 6, 12], [0, 10, 10, 11, 11, 12]),
        Story("late fixes in a row", [0, 10, 5, 6, 11, 12], [0, 10, 10, 11, 11, 12]),
        Story("a week rollover", [-weeks, 1 - weeks, 2, 3], [0, 1, 1, 2], wall: 3),
        // u-blox receivers in gpsd's captures send SKY with a date years ago and TPV with the right one.
        Story("alternating dates years apart", [0, -98_582_400, 1, 2], [0, 0, 1, 2]),
    ]

    @Test(arguments: stories) mutating func `session time is that of the receivers' own times`(story: Story) {
        #expect(heard(story.times) == story.elapsed)
        if let wall = story.wall { #expect(clock.now?.wall == at(wall)) }
    }

    @Test mutating func `the reports' own times do not count if there are stamps`() {
        clock.arrive(at: at(0))
        clock.hear(at(500))
        #expect(clock.now == Moment(elapsed: .zero, wall: at(0)))
    }

    @Test(arguments: [417_600.0, -417_600, 600, 40_000_000], [true, false])
    mutating func `a leap of a receiver's clock before its first fix does not count as time`(
        leap: Double, isAtFix: Bool
    ) {
        for second in 0...5 { clock.hear(at(Double(second)), hasFix: false) }
        clock.hear(at(leap + 6), hasFix: isAtFix)
        #expect(elapsed == 5)
        clock.hear(at(leap + 7))
        #expect(elapsed == 6 && clock.now?.wall == at(leap + 7))
        // From then on the clock is set, and a pause is one.
        clock.hear(at(leap + 90_007), hasFix: false)
        #expect(elapsed == 90_006)
    }

    @Test mutating func `satellites that are dated behind the fixes turn no time back`() {
        for second in [10.0, 11, 12] {
            clock.hear(at(second))
            for part in [1.8, 1.6, 1.4] { clock.hear(at(second - part), isOfFix: false) }
            #expect(elapsed == second - 10 && clock.now?.wall == at(second))
        }
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

    private func at(_ seconds: Double) -> Timestamp { start.advanced(by: .seconds(seconds)) }

    private mutating func heard(_ times: [Double]) -> [Double] {
        times.map { time in
            clock.hear(at(time))
            return elapsed
        }
    }

    private var elapsed: Double { (clock.now?.elapsed ?? .zero).inSeconds }
}
