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
}
