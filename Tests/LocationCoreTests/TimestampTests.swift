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

    @Test func `a time before 1970 is written as the calendar has it`() {
        #expect(Timestamp(nanosecondsSince1970: -1).description == "1969-12-31T23:59:59.999999999Z")
    }
}
