import LocationCore
import Testing

@Suite struct TimestampTests {
    @Test(
        arguments: [
            ("1970-01-01T00:00:00.000Z", 0), ("2026-11-20T08:56:59.123Z", 1_795_165_019_123_000_000),
            ("1969-12-31T23:59:59.999999999Z", -1),
        ] as [(String, Int64)])
    func `a timestamp survives parsing and formatting`(text: String, nanoseconds: Int64) throws {
        let time = try #require(Timestamp(text))
        #expect(time.nanosecondsSince1970 == nanoseconds)
        #expect(time.description == text)
    }

    @Test(
        arguments: [
            ("2026-11-20T08:56:59+01:30", "2026-11-20T07:26:59.000Z"),
            ("2026-11-20 23:30:00.5-00:45", "2026-11-21T00:15:00.500Z"),
            ("2026-11-20T00:00:00-23:59", "2026-11-20T23:59:00.000Z"),
            ("2016-12-31T23:59:60z", "2016-12-31T23:59:59.999Z"),
            ("2026-11-20T08:56:59.1234567891Z", "2026-11-20T08:56:59.123456789Z"),
            ("2026-11-20T08:56:59", nil), ("2026-11-20T08:56:59.Z", nil), ("2026-11-20T08:56:59Zx", nil),
            ("2026-11-20T24:00:00Z", nil), ("2026-11-20T08:60:00Z", nil), ("2026-11-20T08:56:61Z", nil),
            ("2026-13-20T08:56:59Z", nil), ("2026-00-20T08:56:59Z", nil), ("2026-11-00T08:56:59Z", nil),
            ("2026-11-20T08:56:59+24:00", nil), ("2026-11-20T08:56:59+01:60", nil), ("2026-11-2:T08:56:59Z", nil),
            ("1677-12-31T00:00:00Z", nil), ("1678-01-01T00:00:00Z", "1678-01-01T00:00:00.000Z"),
            ("2261-12-31T23:59:59Z", "2261-12-31T23:59:59.000Z"), ("2262-01-01T00:00:00Z", nil),
        ] as [(String, String?)])
    func `a time is read with its offset, and refused if it does not exist`(text: String, expected: String?) {
        #expect(Timestamp(text)?.description == expected)
    }

    @Test func `a leap second has its place between the second before it and the next minute`() throws {
        let texts = ["59.000", "59.900", "60.000", "60.100", "60.999999"].map { "2016-12-31T23:59:\($0)Z" }
        let times = try (texts + ["2017-01-01T00:00:00.000Z"]).map { try #require(Timestamp($0)) }
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
        #expect(times[4].description == "2016-12-31T23:59:59.999999999Z")
    }

    @Test(arguments: [
        (0, "2026-11-20T08:56:59Z"), (1, "2026-11-20T08:56:59.1Z"), (3, "2026-11-20T08:56:59.123Z"),
        (4, "2026-11-20T08:56:59.1239Z"), (9, "2026-11-20T08:56:59.123987001Z"), (12, "2026-11-20T08:56:59.123987001Z"),
        (-1, "2026-11-20T08:56:59Z"),
    ])
    func `a timestamp is truncated to the requested number of digits`(digits: Int, text: String) {
        #expect(Timestamp(nanosecondsSince1970: 1_795_165_019_123_987_001).formatted(fractionDigits: digits) == text)
    }

    @Test(arguments: [
        (1_714_557_604.25, "04.250"), (1_714_557_603.123, "03.123"), (1_714_557_600.001, "00.001"),
        (-0.5, "59.500"),
    ])
    func `fractions of seconds since 1970 are kept`(seconds: Double, text: String) {
        #expect(Timestamp(secondsSince1970: seconds).formatted(fractionDigits: 3).hasSuffix("\(text)Z"))
    }

    @Test(
        arguments: [
            (.nanoseconds(1), 1), (.nanoseconds(-1), -1), (.seconds(3), 3_000_000_000), (.seconds(-3), -3_000_000_000),
            // Longer durations than 9.2 s exceed 64 bits of attoseconds.
            (.seconds(9), 9_000_000_000), (.seconds(10), 10_000_000_000), (.seconds(-10), -10_000_000_000),
            (.seconds(86_400 * 365), 31_536_000_000_000_000),
            // Fractions of a nanosecond are truncated towards zero.
            (Duration(attoseconds: 1_999_999_999), 1), (Duration(attoseconds: -1_999_999_999), -1),
            (Duration(attoseconds: 19_999_999_999_999_999_999), 19_999_999_999),
        ] as [(Duration, Int64)])
    func `a timestamp advances by a duration to the nanosecond`(duration: Duration, nanoseconds: Int64) {
        let start = Timestamp(nanosecondsSince1970: 1_795_165_019_123_987_001)
        #expect(start.advanced(by: duration).nanosecondsSince1970 == 1_795_165_019_123_987_001 + nanoseconds)
    }

    @Test func `a timestamp is clamped to the representable range`() {
        for (seconds, nanoseconds) in [(1e300, .max), (-1e300, .min), (-1e12, .min)] as [(Double, Int64)] {
            #expect(Timestamp(secondsSince1970: seconds).nanosecondsSince1970 == nanoseconds)
        }
        let start = Timestamp(nanosecondsSince1970: 0)
        #expect(start.advanced(by: .seconds(Int64.max)).nanosecondsSince1970 == .max)
        #expect(start.advanced(by: .seconds(Int64.min)).nanosecondsSince1970 == .min)
        #expect(Timestamp(nanosecondsSince1970: .max).advanced(by: .nanoseconds(1)).nanosecondsSince1970 == .max)
    }

    @Test(arguments: [
        (1700, false), (1800, false), (1900, false), (2000, true), (2100, false), (2200, false), (1996, true),
        (2023, false), (2024, true), (2104, true),
    ])
    func `a century is a leap year only if it is divisible by 400`(year: Int, isLeap: Bool) {
        #expect((Timestamp(year: year, month: 2, day: 29) != nil) == isLeap)
        #expect((Timestamp("\(year)-02-29T00:00:00Z") != nil) == isLeap)
    }

    @Test func `a year has a leap day exactly if 29 February follows 28 February`() throws {
        for year in 1678...2261 {
            let last = try #require(Timestamp(year: year, month: 2, day: 28))
            let next = last.advanced(by: .seconds(86_400))
            #expect((Timestamp(year: year, month: 2, day: 29) == next) == (next.civil.day == 29), "\(year)")
            let march = try #require(Timestamp(year: year, month: 3, day: 1))
            #expect(march.since(last) == .seconds(next.civil.day == 29 ? 2 * 86_400 : 86_400), "\(year)")
        }
    }

    @Test func `each month has its number of days`() {
        for (month, days) in [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31].enumerated() {
            #expect(Timestamp(year: 2026, month: month + 1, day: days) != nil)
            #expect(Timestamp(year: 2026, month: month + 1, day: days + 1) == nil)
        }
    }
}
