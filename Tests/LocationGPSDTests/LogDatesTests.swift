import LocationCore
import TestSupport
import Testing

@testable import LocationGPSD

@Suite struct LogDatesTests {
    private static let now = Timestamp(year: 2026, month: 11, day: 27)!
    private static let rmc = "$GPRMC,202640.000,A,4404.1306,N,12118.8515,W,0.03,225.97,130415,,,D*79\r\n"

    private func corrected(_ log: String, _ date: String, _ dates: inout LogDates) -> String? {
        dates.scan(Array(log.utf8)[...])
        return Array(date.utf8).withUnsafeBytes { dates.corrected($0) }.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(
        arguments: [
            (rmc, "2034-11-27", "2015-04-13"), (rmc, "2034-11-28", "2015-04-14"), (rmc, "2054-07-13", "2015-04-13"),
            ("$GPZDA,202640.00,13,04,2015,00,00*6A\r\n", "2034-11-27", "2015-04-13"),
            (rmc, "2015-04-13", nil), (rmc, "2024-11-27", nil), (rmc, "1995-08-28", nil),
            // No position, a proprietary sentence, and a sentence that is not complete.
            (rmc.replacing(",A,", with: ",V,"), "2025-11-27", nil), ("$PRMC,,A,,,,,,,130415\r\n", "2025-11-27", nil),
            (String(rmc.dropLast(12)), "2025-11-27", nil), ("$GPRMC,\r\n$GPZDA,,31,02,2015\r\n", "2025-11-27", nil),
        ] as [(String, String, String?)])
    func `a date that is rollovers after that of the log is moved back to it`(
        log: String, date: String, expected: String?
    ) {
        var dates = LogDates(now: Self.now)
        #expect(corrected(log, date, &dates) == expected)
        #expect(dates.notices.count == (expected == nil ? 0 : 1))
    }

    @Test func `a sentence is found in pieces of any size, and one notice is enough`() {
        for size in 1...Self.rmc.utf8.count {
            var dates = LogDates(now: Self.now)
            for piece in Array((Self.rmc + Self.rmc).utf8).pieces(of: size) { dates.scan(piece) }
            #expect(corrected("", "2034-11-27", &dates) == "2015-04-13", "\(size)")
            #expect(corrected("", "2034-11-28", &dates) == "2015-04-14", "\(size)")
            #expect(dates.notices.count == 1)
        }
    }

    @Test func `a date in the future of a log without a date gets one notice that says what to do`() {
        var dates = LogDates(now: Self.now)
        #expect(corrected("", "2026-11-27", &dates) == nil && dates.notices.isEmpty)
        #expect(corrected("", "2034-11-27", &dates) == nil)
        #expect(corrected("", "2034-11-28", &dates) == nil)
        let texts = dates.notices.map { "\($0)" }
        #expect(texts.count == 1 && texts[0].contains("in the future") && texts[0].contains("subtract 7,168 days"))
    }
}
