import Foundation
import LocationCore
@testable import LocationTracks
import Testing

/// Tests that read the tracks of other programs: files that `Tests/Tracks/make` has written with them, and files in the
/// form of services that have no program.
struct OtherProgramsTests {
    /// The points that are in each of the files: segment, second, latitude, longitude, altitude.
    private static let points: [(Int, Double, Double, Double, Double)] = [
        (1, 0, 48.2081743, 16.3738189, 171.5), (1, 1, 48.2081921, 16.3738654, 171.75),
        (1, 2.5, 48.2082255, 16.3739312, 172),
        (2, 600, 48.2101123, 16.3690001, 180.25), (2, 601, 48.2101301, 16.3690544, 180.5),
        (2, 602, 48.2101455, 16.3691022, -0.5),
    ]

    @Test(arguments: [
        ("gpxpy-1.0.gpx", 0.0, 0.0), ("gpxpy-1.1.gpx", 0, 0), ("gdal.gpx", 0, 0), ("gpsbabel.gpx", 1e-9, 0.001),
        // gpsbabel writes six decimals, and points without segments.
        ("gpsbabel-points.kml", 1e-6, 0.01), ("gpsbabel-track.kml", 1e-6, 0.01), ("gdal-points.geojson", 0, 0),
    ])
    func `every point is read with its time, altitude and segment`(
        name: String, degrees: Double, metres: Double
    ) throws {
        let bytes = Array(try Data(contentsOf: ReadTrack.folder.appending(path: name)))
        for pieces in [1, 7, 32_768] {
            let track = ReadTrack(bytes, named: name, pieces: pieces)
            #expect(track.fault == nil && track.messages.isEmpty)
            try #require(track.points.count == Self.points.count)
            for (point, expected) in zip(track.points, Self.points) {
                let location = point.location
                #expect(location.timestamp == ReadTrack.start.advanced(by: .milliseconds(Int(expected.1 * 1000))))
                #expect(abs(location.coordinate.latitude - expected.2) <= degrees)
                #expect(abs(location.coordinate.longitude - expected.3) <= degrees)
                #expect(abs(try #require(location.altitudeMSL) - expected.4) <= metres)
            }
            if !name.hasSuffix(".kml") { #expect(track.segments == Self.points.map(\.0)) }
        }
    }

    @Test(arguments: [
        // Garmin Connect: the schema's namespaces have prefixes of their own, and extensions hold heart rates.
        #"""
        <?xml version="1.0" encoding="UTF-8"?><gpx creator="Garmin Connect" version="1.1"
          xmlns:ns3="http://www.garmin.com/xmlschemas/TrackPointExtension/v1" xmlns="http://www.topografix.com/GPX/1/1">
          <metadata><time>2020-01-01T00:00:00.000Z</time></metadata><trk><name>Run</name><type>running</type><trkseg>
          <trkpt lat="48.5" lon="16.25"><ele>171.5</ele><time>2026-11-20T09:00:00.000Z</time><extensions>
          <ns3:TrackPointExtension><ns3:hr>93</ns3:hr><ns3:cad>0</ns3:cad></ns3:TrackPointExtension></extensions></trkpt>
          </trkseg></trk></gpx>
        """#,
        // A document whose elements all have a prefix, which is not declared.
        #"<g:gpx><g:trk><g:trkseg><g:trkpt lat='48.5' lon='16.25'><g:ele> 171.5 </g:ele><g:time>2026-11-20T11:00:00+02:00</g:time></g:trkpt></g:trkseg></g:trk></g:gpx>"#,
        // A simulator of positions for telephones: waypoints only.
        #"<gpx version="1.1" creator="Xcode"><wpt lat="48.5" lon="16.25"><ele>171.5</ele><time>2026-11-20T09:00:00Z</time></wpt></gpx>"#,
        // Google Earth: all times, then all positions.
        #"""
        <kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2"><Document><Placemark>
          <gx:Track><altitudeMode>absolute</altitudeMode><when>2026-11-20T09:00:00Z</when><gx:angles>1 2 3</gx:angles>
          <gx:coord>16.25 48.5 171.5</gx:coord></gx:Track></Placemark></Document></kml>
        """#,
        // A placemark with a span of time and a view with another.
        #"""
        <kml><Placemark><LookAt><gx:TimeStamp><when>1999-01-01T00:00:00Z</when></gx:TimeStamp></LookAt>
          <TimeSpan><begin>2026-11-20T09:00:00Z</begin><end>2026-11-20T09:00:09Z</end></TimeSpan>
          <Point><coordinates> 16.25,48.5,171.5 </coordinates></Point></Placemark></kml>
        """#,
        // togeojson and Mapbox.
        #"{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"coordinateProperties":{"times":["2026-11-20T09:00:00Z",null]}},"geometry":{"type":"LineString","coordinates":[[16.25,48.5,171.5],[1,2]]}}]}"#,
        // Overland's requests.
        #"{"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":[16.25,48.5]},"properties":{"timestamp":"2026-11-20T09:00:00Z","altitude":171.5,"speed":-1,"motion":["driving"],"battery_level":0.8}}]}"#,
        // A feature in each line, with seconds since 1970 and the type after the coordinates.
        "{\"geometry\":{\"coordinates\":[16.25,48.5,171.5],\"type\":\"Point\"},\"properties\":{\"time\":1795165200},\"type\":\"Feature\"}\n"
            + "{\"geometry\":null,\"type\":\"Feature\"}\n",
    ])
    func `the files of services and telephones give their point`(text: String) throws {
        for pieces in [1, 100_000] {
            let track = ReadTrack(text, named: "x", pieces: pieces)
            #expect(track.fault == nil)
            #expect(track.summary.first == "1 0.0 48.5 16.25 171.5")
            #expect(track.points.count == 1 && track.points.first?.location.speed == nil)
        }
    }

    @Test func `a track counts more than a route and waypoints, and times more than no times`() {
        let waypoint = #"<wpt lat="1" lon="1"><time>2026-11-20T09:00:00Z</time></wpt>"#
        let route = #"<rte><rtept lat="2" lon="2"/><rtept lat="2.1" lon="2"/></rte>"#
        let track = ReadTrack.track(seconds: [0])
        func latitudes(_ inner: String, speed: Double? = nil) -> [Double] {
            ReadTrack(ReadTrack.gpx(inner), speed: speed).points.map(\.location.coordinate.latitude)
        }
        #expect(latitudes(waypoint + route + track) == [48])
        #expect(latitudes(track + route + waypoint) == [48])
        #expect(latitudes(waypoint + route) == [1])
        #expect(latitudes(route, speed: 1) == [2, 2.1])
        #expect(latitudes(waypoint + route, speed: 1) == [1])
        #expect(latitudes(#"<wpt lat="1" lon="1"/>"# + route, speed: 1) == [2, 2.1])
    }

    @Test func `a KML of gpsbabel has each point twice, and those with a time count`() {
        let kml = """
            <kml><Placemark><LineString><coordinates>5,5 6,6</coordinates></LineString></Placemark>
            <Placemark><TimeStamp><when>2026-11-20T09:00:00Z</when></TimeStamp><Point><coordinates>7,7</coordinates></Point>
            </Placemark></kml>
            """
        #expect(ReadTrack(kml).points.map(\.location.coordinate.latitude) == [7])
    }
}
