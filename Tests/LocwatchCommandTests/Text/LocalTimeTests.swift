import LocationCore
import TestSupport
import Testing

@testable import LocwatchPrinting
@testable import LocwatchTerminal

/// Local times around the end of daylight saving.
@Suite struct LocalTimeTests {
    /// 2026-10-25 01:00 UTC, when the clocks of Rome go from 03:00 back to 02:00.
    private static let change = Timestamp(secondsSince1970: 1_792_890_000)
    private static let rome = LocalTime { $0 < change ? 7200 : 3600 }

    @Test func `a line of times names the offset again after it has changed`() {
        var column = ClockColumn(localTime: Self.rome, usesColor: false)
        var out = TextBuffer()
        for seconds in [-20, 0, 20] {
            column.put(Self.change.advanced(by: .seconds(seconds)), into: &out)
            out.put("\n")
        }
        #expect(
            out.text == """
                2026-10-25  UTC+02:00
                02:59:40  
                2026-10-25  UTC+01:00
                02:00:00  
                02:00:20  

                """)
    }

    @Test func `clocks that are set back show an hour twice, and those that are set forward leave one out`() {
        // Half past two, half past three, and half past one in Rome, in hours after the change.
        let shown = [1.5, 2.5, 0.5].map { Self.change.advanced(by: .seconds($0 * 3600)) }
        let times = shown.map { Self.rome.times(showing: $0).map { $0.since(Self.change).inSeconds / 3600 } }
        #expect(times == [[-0.5, 0.5], [1.5], [-1.5]])
        let forward = LocalTime { $0 < Self.change ? 3600 : 7200 }
        #expect(forward.times(showing: shown[0]) == [])
        #expect(forward.times(showing: shown[1]).map { $0.since(Self.change).inSeconds } == [1800])
    }

    /// Returns the dates of lines, each with the seconds of this machine's clock, or with those and the receiver's.
    private static func dates(_ lines: [(host: Int, receiver: Int?)]) -> [String] {
        var column = ClockColumn(localTime: .utc, usesColor: false)
        var out = TextBuffer()
        let midnight = Timestamp(secondsSince1970: 1_792_800_000)
        for line in lines {
            let host = midnight.advanced(by: .seconds(line.host))
            let time = midnight.advanced(by: .seconds(line.receiver ?? line.host))
            column.put(time, received: line.receiver.map { _ in host }, into: &out)
            out.put("\n")
        }
        return out.text.split(separator: "\n").filter { $0.hasSuffix("UTC") }.map { String($0.prefix(10)) }
    }

    @Test func `a receiver whose date is not that of this machine has the only date lines`() {
        let (day, week) = (86_400, 1024 * 604_800)
        let lines: [(Int, Int?)] = [
            (0, nil), (1, 1 - week), (2, nil), (3, 3 - week), (day, nil), (day + 1, day + 1 - week), (day + 2, nil),
        ]
        #expect(Self.dates(lines) == ["2026-10-24", "2007-03-10", "2007-03-11"])
        // A clock that is some hours off has another date for some hours.
        let hours: [(Int, Int?)] = [(0, nil), (1, 1 - 7200), (2, nil), (3, 3 - 7200), (7300, nil), (7301, 101)]
        #expect(Self.dates(hours) == ["2026-10-24", "2026-10-23", "2026-10-24"])
    }

    @Test func `the lines of this machine have the date when it changes and the receiver's clock is right`() {
        let day = 86_400
        let lines: [(Int, Int?)] = [(0, nil), (2, 1), (3, nil), (day, nil), (day + 2, day + 1), (2 * day, nil)]
        #expect(Self.dates(lines) == ["2026-10-24", "2026-10-25", "2026-10-26"])
    }
}
