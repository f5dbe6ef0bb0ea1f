import Foundation
import LocationCore
import LocationTracks
import TestSupport
import Testing

@testable import LocwatchCommand

@Suite(.serialized, .alone) struct WebPointsTests {
    /// Returns points a second apart, of which every hundredth begins a segment.
    private static func points(_ count: Int) -> WebPoints {
        var points = WebPoints()
        for second in 0..<count {
            let location = ScriptedSession.location(Double(second), latitude: Double(second) / 1e6)
            points.append(
                WebPoint(
                    TrackPoint(location, seen: 9, used: 7, dilution: DilutionOfPrecision()),
                    beginsSegment: second % 100 == 0))
        }
        return points
    }

    @Test(arguments: [0, 1, 99, 101, 1200])
    func `the files have every point, in its segment`(count: Int) throws {
        let points = Self.points(count)
        let segments = (count + 99) / 100
        let gpx = String(decoding: points.file(.gpx), as: UTF8.self)
        #expect(gpx.components(separatedBy: "<trkpt ").count == count + 1)
        #expect(gpx.components(separatedBy: "<trkseg>").count == max(1, segments) + 1)
        let geojson = try JSONSerialization.jsonObject(with: Data(points.file(.geojson))) as? [String: Any]
        #expect((geojson?["features"] as? [Any])?.count == segments)
        let recent = try JSONSerialization.jsonObject(with: Data(points.recent)) as? [String: Any]
        #expect((recent?["points"] as? [[Any]])?.count == count)
    }

    @Test func `the page gets the newest points`() throws {
        let recent = try JSONSerialization.jsonObject(with: Data(Self.points(5000).recent)) as? [String: Any]
        let rows = try #require(recent?["points"] as? [[Any]])
        #expect(rows.count == 3600)
        #expect(rows.first?[1] as? Double == 0.0014 && rows.last?[1] as? Double == 0.004999)
    }
}
