import LocationCore
import Testing

@Suite struct TimestampTests {
    @Test(
        arguments: [
            ("1970-01-01T00:00:00.000Z", 0),
            ("2026-11-20T08:56:59.123Z", 1795165019123000000 as Int64),
        ] as [(String, Int64)])
    func `a time reads and writes as itself`(text: String, nanoseconds: Int64) throws {
        let time = try #require(Timestamp(text))
        #expect(time.nanosecondsSince1970 == nanoseconds)
        #expect(time.description == text)
    }

    @Test(arguments: [
        (0, "2026-11-20T08:56:59Z"), (1, "2026-11-20T08:56:59.1Z"), (3, "2026-11-20T08:56:59.123Z"),
        (4, "2026-11-20T08:56:59.1239Z"), (9, "2026-11-20T08:56:59.123987001Z"), (12, "2026-11-20T08:56:59.123987001Z"),
        (-1, "2026-11-20T08:56:59Z"),
    ])
    func `a time has as many digits as are wanted, cut and not rounded`(digits: Int, text: String) {
        #expect(Timestamp(nanosecondsSince1970: 1_795_165_019_123_987_001).formatted(fractionDigits: digits) == text)
    }

    @Test(
        arguments: [
            (.nanoseconds(1), 1), (.nanoseconds(-1), -1), (.seconds(3), 3_000_000_000), (.seconds(-3), -3_000_000_000),
            // Beyond what 64 bits hold of attoseconds, which is 9.2 s.
            (.seconds(9), 9_000_000_000), (.seconds(10), 10_000_000_000), (.seconds(-10), -10_000_000_000),
            (.seconds(86_400 * 365), 31_536_000_000_000_000),
            // What is below a nanosecond is cut off, towards zero.
            (Duration(attoseconds: 1_999_999_999), 1), (Duration(attoseconds: -1_999_999_999), -1),
            (Duration(attoseconds: 19_999_999_999_999_999_999), 19_999_999_999),
        ] as [(Duration, Int64)])
    func `a time goes on by a duration to the nanosecond`(duration: Duration, nanoseconds: Int64) {
        let start = Timestamp(nanosecondsSince1970: 1_795_165_019_123_987_001)
        #expect(start.advanced(by: duration).nanosecondsSince1970 == 1_795_165_019_123_987_001 + nanoseconds)
    }

    @Test func `a time stays within the years that it can tell`() {
        let start = Timestamp(nanosecondsSince1970: 0)
        #expect(start.advanced(by: .seconds(Int64.max)).nanosecondsSince1970 == .max)
        #expect(start.advanced(by: .seconds(Int64.min)).nanosecondsSince1970 == .min)
        #expect(Timestamp(nanosecondsSince1970: .max).advanced(by: .nanoseconds(1)).nanosecondsSince1970 == .max)
    }

    @Test func `a time before 1970 is written as the calendar has it`() {
        #expect(Timestamp(nanosecondsSince1970: -1).description == "1969-12-31T23:59:59.999999999Z")
    }
}
