import LocationCore
@testable import LocationTracks
import Testing

/// Tests that a track which locwatch has written reads back, and is written in the same way again.
struct OwnFormatsTests {
    private static let formats: [(TrackFormat, Bool)] = [
        (.gpx, false), (.kml, false), (.geojson, false), (.geojson, true),
    ]

    @Test func `a point of GeoJSON whose time is null is a point without a time`() {
        let point = { (time: String) in
            #"{"type":"Feature","properties":{"time":\#(time)},"geometry":{"type":"Point","coordinates":[7,45]}}"#
        }
        let features = [point("null"), point(#""2026-11-20T09:00:00Z""#)].joined(separator: ",")
        let track = ReadTrack(
            Array(#"{"type":"FeatureCollection","features":[\#(features)]}"#.utf8), named: "track.geojson")
        #expect(track.points.count == 1)
        #expect(track.messages == ["1 point without a valid time was skipped"], "\(track.elements)")
    }

    @Test(arguments: formats)
    func `a written track reads back with its segments, and is written in the same way again`(
        _ format: TrackFormat, _ pointFeatures: Bool
    ) throws {
        let track = SampleTrack.drive()
        let options = TrackFormat.Options(pointFeatures: pointFeatures)
        let bytes = SampleTrack.written(track, as: format, options)
        let read = ReadTrack(bytes, named: "x")
        let points = SampleTrack.points(track)
        #expect(read.fault == nil && read.messages.isEmpty)
        #expect(read.segments == SampleTrack.segments(track))
        #expect(read.points.map(\.location.coordinate) == points.map(\.location.coordinate))
        #expect(read.points.map(\.location.timestamp) == points.map(\.location.timestamp))
        #expect(read.points.map(\.location.altitudeMSL) == points.map(\.location.altitudeMSL))
        let segment = SampleTrack.written(SampleTrack.drive(segments: 1), as: format, options)
        let again = ReadTrack(segment, named: "x").points.map(TrackElement.point)
        #expect(SampleTrack.written(again, as: format, options) == segment)
    }

    @Test(arguments: [[179.5, -179.5], [-179.9, 180, 179.9], [179, 180, -179, -180, 178], [179.5, -179.5, 179.5]])
    func `the points at which a line crosses the antimeridian are not read as positions`(longitudes: [Double]) {
        let track = longitudes.enumerated().map { index, longitude in
            TrackElement.point(
                TrackPoint(
                    Location(
                        coordinate: Coordinate(latitude: 1, longitude: longitude),
                        timestamp: SampleTrack.start.advanced(by: .seconds(index)), altitudeMSL: 3)))
        }
        let read = ReadTrack(SampleTrack.written(track, as: .geojson), named: "x")
        #expect(read.points.map(\.location.coordinate.longitude) == longitudes)
        #expect(read.segments == SampleTrack.segments(track))
    }

    @Test func `a track becomes lines of gpsd's reports`() {
        let text = ReadTrack.gpx(
            "<trk><trkseg><trkpt lat='48' lon='16'><time>2026-11-20T09:00:00Z</time><sat>7</sat></trkpt>"
                + "<trkpt lat='48' lon='16'><time>2026-11-20T09:00:01Z</time><fix>none</fix></trkpt><trkpt lat='1' lon='2'/>"
                + "</trkseg><trkseg><trkpt lat='49' lon='16'><ele>5</ele><time>2026-11-20T09:00:09Z</time></trkpt></trkseg></trk>"
        )
        var writer = TrackLines()
        let lines = ReadTrack(text).elements.flatMap { writer.lines(of: $0) }
        #expect(
            lines.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n") == """
                {"class":"SKY","time":"2026-11-20T09:00:00Z","uSat":7}
                {"class":"TPV","mode":2,"time":"2026-11-20T09:00:00Z","lat":48,"lon":16}
                {"class":"TPV","mode":1,"time":"2026-11-20T09:00:01Z"}
                {"class":"TPV","mode":1,"time":"2026-11-20T09:00:02Z"}
                {"class":"TPV","mode":3,"time":"2026-11-20T09:00:09Z","lat":49,"lon":16,"altMSL":5}
                """)
    }
}
