import LocationCore
import Testing

@testable import LocwatchPrinting
@testable import LocwatchTerminal

/// Local times around the end of daylight saving.
struct LocalTimeTests {
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
}
