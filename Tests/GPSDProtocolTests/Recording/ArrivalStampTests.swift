import LocationCore
import Testing

@testable import GPSDProtocol

struct ArrivalStampTests {
    @Test(arguments: [
        ("-t", "2026-11-20 09:17:27: ", "2026-11-20T09:17:27.000Z"),
        ("-u", "2026-11-20 09:17:27.032561: ", "2026-11-20T09:17:27.032561Z"),
        ("-uu", "2026-11-20 09:17:27 1795166247.036675: ", "2026-11-20T09:17:27.036675Z"),
        ("-Z", "2026-11-20T09:17:27: ", "2026-11-20T09:17:27.000Z"),
        ("-Z -uu", "2026-11-20T09:17:27Z 1795166247.047163: ", "2026-11-20T09:17:27.047163Z"),
        ("-T %s", "1795166247: ", "2026-11-20T09:17:27.000Z"),
        ("-T %s -u", "1795166247.047163: ", "2026-11-20T09:17:27.047163Z"),
        ("-T %H:%M -uu", "09:17 1795166247.054114: ", "2026-11-20T09:17:27.054114Z"),
        ("-T %FT%TZ", "2026-11-20T09:17:27Z: ", "2026-11-20T09:17:27.000Z"),
        ("a tab instead of the colon", "1795166247.5\t", "2026-11-20T09:17:27.500Z"),
    ])
    func `each stamp style of gpspipe is parsed`(style: String, prefix: String, expected: String) {
        #expect(part(prefix + report) == (Timestamp(expected), report), "\(style)")
    }

    /// gpspipe 3.22 overwrites the last of six digits with its Z; the five that remain include the leading zeros.
    @Test(arguments: [
        ("2026-11-20T09:17:27.04368Z: ", 43_680), ("2026-11-20T09:17:27.00002Z: ", 20),
        ("2026-11-20T09:17:27.99999Z: ", 999_990), ("2026-11-20T09:17:27.00000Z: ", 0),
    ])
    func `the five digits of gpspipe -Z -u are a fraction without its last digit`(prefix: String, micros: Int64) {
        let second = Timestamp("2026-11-20T09:17:27Z")
        #expect(part(prefix + report).stamp == second?.advanced(by: .microseconds(micros)))
    }

    @Test(arguments: [
        "Fri Nov 20 09:17:27 2026: ", "09:17:27.123456: ", "12345: ", ": ", " ", "a: ", "1795166247.04x: ", "1.2.3: ",
        "99999999999999999999: ", "9223372036854775807: ", "-999999999999: ", "2026-13-45 99:99:99: ", "\u{FF}\u{0}: ",
        "2026-11-20 09:17:27 once more: ", "١٧٩٥١٦٦٢٤٧: ", "+9999999999999999: ",
    ])
    func `a prefix without a moment is ignored and the line is read`(prefix: String) {
        #expect(part(prefix + report) == (Timestamp?.none, report))
    }

    @Test(arguments: [report, "", "$GPGGA,120000.00*47", "no brace at all", "[1]"])
    func `a line without a prefix or without an object is unchanged`(line: String) {
        #expect(part(line) == (Timestamp?.none, line))
    }

    @Test func `a stamp beyond the representable range is clamped`() {
        #expect(part("9223372036.999999999: {}").stamp == Timestamp(nanosecondsSince1970: .max))
    }

    private func part(_ line: String) -> (stamp: Timestamp?, json: String) {
        Array(line.utf8).withUnsafeBytes { bytes in
            let parts = ArrivalStamp.part(bytes)
            return (parts.stamp, String(decoding: parts.json, as: UTF8.self))
        }
    }
}

private let report = #"{"class":"TPV","mode":3}"#
