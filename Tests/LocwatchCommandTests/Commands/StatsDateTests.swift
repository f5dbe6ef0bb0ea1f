import TestSupport
import Testing

/// The dates of a recording whose receiver learns the date in its course.
@Suite(.serialized, .alone) struct StatsDateTests {
    /// A recording whose date jumps by 18 years and back.
    static let recording = reports(["2023-05-01", "2041-01-10", "2041-01-10", "2023-05-01"])

    /// Returns a report at a second after ten on each date.
    private static func reports(_ dates: [String]) -> String {
        dates.enumerated().map { second, date in
            #"{"class":"TPV","device":"/dev/a","mode":3,"time":"\#(date)T10:00:0\#(second).000Z","lat":48.2,"lon":16.3}"#
                + "\n"
        }.joined()
    }

    @Test func `a session whose dates span decades says that the date jumps`() async throws {
        let text = try await CommandTrial.run("stats --utc replay:@", reading: Self.recording).output
        let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(
            words.contains("2 jumps of the date, which last no time: the first from 2023-05-01 to 2041-01-10"),
            "\(text)")
    }

    @Test func `a pause of some days does not count as a jump of the date`() async throws {
        let text = Self.reports(["2023-05-01", "2023-05-04", "2024-01-02"])
        #expect(try await !CommandTrial.run("stats --utc replay:@", reading: text).output.contains("jump"))
    }
}
