import LocationCore
import Testing

@testable import LocationTracks

/// Resumed files that were written by another program or by another version.
struct ContinuationTests {
    /// Returns the text of a point after that with which a file ends.
    private func resumed(_ writer: some TrackWriter, after ending: String) -> String {
        var writer = writer
        var out = TextBuffer()
        writer.resume(after: Array(ending.utf8)[...])
        writer.append(TrackPoint(Location(coordinate: Coordinate(latitude: 1, longitude: 2), device: "a")), into: &out)
        return out.text
    }

    @Test(
        arguments: [
            ("a,1,3\r\n", 2), ("a,7,\r\n", 8), ("a,9223372036854775807,\r\n", 1), ("a,999999999,x\r\n", 1_000_000_000),
            ("a,1000000000,x\r\n", 1), ("a,-4,x\r\n", 1), ("a,+4,x\r\n", 1), ("device,segment,mode\r\n", 1), ("", 1),
            ("\n\n\n", 1), ("\u{0},,\n", 1), ("\"a,9\",3,3\r\n", 4), ("\"a,9\"\",8\",3,3\r\n", 4),
            ("a,99999999999999999999999999,\n", 1), ("a,5", 6), ("a", 1),
        ] as [(String, Int)])
    func `a resumed CSV file continues after its last readable segment`(_ ending: String, _ segment: Int) throws {
        let columns = try #require(CSVColumns(["mode", "segment", "device"]))
        #expect(resumed(CSVWriter(columns), after: ending).split(separator: ",")[1] == "\(segment)")
    }

    @Test(
        arguments: [
            (#"{"segment":4}}"#, 5), (#"{"segment":9223372036854775807}}"#, 1), (#"{"segment":-1}}"#, 1),
            (#"{"segment":}}"#, 1), (#"{"segment":1e9}}"#, 2), ("", 1),
            (#"{"segment":3,"device":"\"segment\":8"}}"#, 4), (#"{"segment":6},{"segment":99999999999}}"#, 7),
        ] as [(String, Int)])
    func `a resumed GeoJSON file continues after its last readable segment`(_ ending: String, _ segment: Int) {
        #expect(resumed(GeoJSONWriter(pointFeatures: true), after: ending).contains("\"segment\":\(segment),"))
    }
}
