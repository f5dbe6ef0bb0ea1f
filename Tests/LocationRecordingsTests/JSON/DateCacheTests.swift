import LocationCore
import LocationRecordings
import Testing

/// A decoder caches the date of the last time, which must not affect its results.
struct DateCacheTests {
    private static let times = [
        "2026-11-20T08:56:59.123Z", "2026-11-20T23:59:59.999Z", "2026-11-20T00:00:00.000Z", "2026-11-21T00:00:00.000Z",
        "2025-11-21T12:00:00.500Z", "2026-10-21T12:00:00.500Z", "2026-11-20T24:00:00.000Z", "2026-11-20T10:60:00.000Z",
        "2026-11-20T10:00:60.000Z", "2026-11-20T10:00:61.000Z", "2026-11-20T1/:00:00.000Z", "2026-11-20T10-00-00.000Z",
        "2026-11-20T10:00:00.0001Z", "2026-11-20T10:00:00Z", "2026-11-20 10:00:00.000Z", "2026-11-20T10:00:00.000z",
        "2026-11-20T10:00:00.000+01:00", "2016-12-31T23:59:60.000Z", "2016-12-31T10:00:00.000Z",
        "2017-01-01T00:00:00.000Z", "1969-12-31T23:59:59.999Z", "1969-12-31T00:00:00.000Z", "1969-12-31T12:00:00.000Z",
        "1970-01-01T00:00:00.000Z", "1678-01-01T00:00:00.000Z", "1678-01-01T23:59:59.999Z", "2261-12-31T23:59:59.999Z",
        "2024-02-29T10:00:00.000Z", "2023-02-29T10:00:00.000Z", "0000-00-00T00:00:00.000Z", "",
    ]

    private func time(_ text: String, _ decoder: inout ReportDecoder) throws -> Timestamp? {
        guard case .tpv(let report) = try decoder.decode(#"{"class":"TPV","mode":3,"time":"\#(text)","lat":1}"#) else {
            throw UnexpectedClass(line: text)
        }
        return report.time
    }

    @Test(arguments: times)
    func `a time is decoded the same after any other time`(_ before: String) throws {
        for text in Self.times {
            var (used, fresh) = (ReportDecoder(), ReportDecoder())
            _ = try time(before, &used)
            // Decoded twice, so that the second time uses the cached date of the first.
            for _ in 0..<2 {
                let (read, expected) = (try time(text, &used), try time(text, &fresh))
                #expect(read == expected, "\(text) after \(before)")
                #expect(read == Timestamp(text), "\(text) after \(before)")
            }
        }
    }
}
