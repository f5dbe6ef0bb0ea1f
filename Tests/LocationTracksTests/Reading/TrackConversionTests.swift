import Foundation
import GPSDReports
import LocationCore
import Testing

@testable import LocationTracks

struct TrackConversionTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Tracks")

    /// A track with two segments, a point without a fix, and values that are out of range.
    private static let track = """
        <gpx version="1.1" creator="locwatch 1" xmlns="http://www.topografix.com/GPX/1/1"><trk><src>/dev/ttyACM0</src>
        <trkseg><trkpt lat="48.123456789012" lon="-16.1"><ele>-0.0</ele><time>2026-11-20T09:00:00.25Z</time>
        <magvar>3.5</magvar><geoidheight>1e9</geoidheight><fix>dgps</fix><sat>7</sat><hdop>1.5</hdop><vdop>-2</vdop>
        <ageofdgpsdata>2.5</ageofdgpsdata><dgpsid>12</dgpsid></trkpt>
        <trkpt lat="48.2" lon="16"><time>2026-11-20T09:00:01Z</time><fix>none</fix><sat>2</sat></trkpt>
        <trkpt lat="48.3" lon="16"/></trkseg>
        <trkseg><trkpt lat="49" lon="16"><time>2026-11-20T09:00:09Z</time></trkpt></trkseg></trk></gpx>
        """

    /// Returns the reports of a track with their lines.
    private func reports(
        of bytes: [UInt8], named name: String, includesLines: Bool
    ) throws -> [(report: GPSDReport, line: [UInt8])] {
        let kind = try #require(bytes.withUnsafeBytes { TrackKind(beginning: $0, name: name) })
        let times = TimelessPoints(speed: 2, start: Timestamp(nanosecondsSince1970: 1_795_165_200_000_000_000))
        let conversion = try TrackConversion(kind, times: times, name: name)
        var reports: [(GPSDReport, [UInt8])] = []
        for piece in [bytes, []] {
            try piece.withUnsafeBufferPointer { (piece) throws(LocationError) in
                try conversion.convert(UnsafeRawBufferPointer(piece), includesLines: includesLines) {
                    reports.append(($0, $1))
                }
                while conversion.hasMore {
                    try conversion.resume(includesLines: includesLines) { reports.append(($0, $1)) }
                }
            }
        }
        return reports
    }

    private func expectLinesOfReports(_ bytes: [UInt8], named name: String) throws {
        let reports = try reports(of: bytes, named: name, includesLines: true)
        var decoder = ReportDecoder()
        for (report, line) in reports { #expect(try decoder.decode(line) == report) }
        let withoutLines = try self.reports(of: bytes, named: name, includesLines: false)
        #expect(withoutLines.map(\.report) == reports.map(\.report))
        #expect(withoutLines.allSatisfy { $0.line.isEmpty })
    }

    @Test func `the line of each report says the same as the report`() throws {
        try expectLinesOfReports(Array(Self.track.utf8), named: "track.gpx")
        // A mark precedes those of the points.
        #expect(try reports(of: Array(Self.track.utf8), named: "track.gpx", includesLines: false).count == 6)
    }

    @Test(arguments: [
        "gdal-points.geojson", "gdal.gpx", "gpsbabel-points.kml", "gpsbabel-track.kml", "gpsbabel-untimed.geojson",
        "gpsbabel.gpx", "gpxpy-1.0.gpx", "gpxpy-1.1.gpx",
    ])
    func `the lines of other programs' tracks say the same as the reports`(name: String) throws {
        try expectLinesOfReports(Array(Data(contentsOf: Self.folder.appending(path: name))), named: name)
    }
}
