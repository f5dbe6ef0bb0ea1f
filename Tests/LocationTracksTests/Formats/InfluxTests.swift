import Foundation
import LocationCore
import TestSupport
import Testing

@testable import LocationTracks

/// Tests of the lines of points, which a strict parser in Python reads.
@Suite struct InfluxTests {
    private func points(_ track: [TrackElement]) throws -> [[String: Any]] {
        let oracles = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../Oracles")
        let script = oracles.appending(path: "influx_lines.py")
        let text = String(decoding: SampleTrack.written(track, as: .influx), as: UTF8.self)
        let tool = try Tool("python3", [script.standardizedFileURL.path], input: text)
        try #require(tool.status == 0, "\(tool.errors)")
        return try tool.output.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
    }

    @Test func `a line has the known values only, with their types`() throws {
        var location = Location(
            coordinate: Coordinate(latitude: 45.073612, longitude: -7.680431),
            timestamp: SampleTrack.start,
            device: "/dev/ttyACM0", horizontalAccuracy: 5, altitudeMSL: 263.9)
        location.received = SampleTrack.start.advanced(by: .milliseconds(125))
        location.quality = .rtkFixed
        var sky = SkyView(satellites: nil, seen: 16, used: 9)
        sky.dilution.horizontal = 0.9
        let bytes = SampleTrack.written([.point(TrackPoint(location, sky: sky))], as: .influx)
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == "locwatch,device=/dev/ttyACM0 lat=45.073612,lon=-7.680431,altMSL=263.9,mode=3i,quality=\"rtkFixed\","
                + "eph=5,used=9i,seen=16i,received=1795161600125000000i,late=false,stationary=false,"
                + "integrity=\"nominal\",hdop=0.9 1795161600000000000\n")
    }

    @Test(arguments: ["a b", "a,b=c", "a\\", "a\\,b", "a\nb", "é\u{202e}", "\"", " ", "=", ""])
    func `no name of a receiver breaks its line`(name: String) throws {
        let place = Coordinate(latitude: 1, longitude: 2)
        var location = Location(coordinate: place, timestamp: SampleTrack.start, device: name)
        location.datum = name
        let points = try points([.point(TrackPoint(location))])
        try #require(points.count == 1)
        let visible = VisibleText.of(name)
        let device = visible.replacing("\\", with: "/")
        #expect(points[0]["tags"] as? [String: String] == (name.isEmpty ? [:] : ["device": device]))
        #expect((points[0]["fields"] as? [String: Any])?["datum"] as? String == visible)
    }

    @Test func `a point without any time is left out`() throws {
        let place = Coordinate(latitude: 1, longitude: 2)
        var arrived = Location(coordinate: place)
        arrived.received = SampleTrack.start
        #expect(
            try points([.point(TrackPoint(Location(coordinate: place))), .point(TrackPoint(arrived))])
                .count == 1)
    }
}
