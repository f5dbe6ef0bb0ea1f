import Foundation
import LocationTracks
import TestSupport
import Testing

@testable import LocwatchTerminal

/// Exports files with several tracks, and with more than positions.
@Suite(.serialized, .withClocks) struct SeveralTracksCommandTests {
    private static func point(_ latitude: Double, _ time: String, _ inner: String = "") -> String {
        "<trkpt lat=\"\(latitude)\" lon=\"7\"><time>2026-05-0\(time)Z</time>\(inner)</trkpt>\n"
    }

    private static func pulse(_ rate: Int) -> String {
        "<extensions><gpxtpx:TrackPointExtension><gpxtpx:hr>\(rate)</gpxtpx:hr></gpxtpx:TrackPointExtension></extensions>"
    }

    /// Two waypoints, a track of two segments, one of the day before, and one without a name at the time of the first.
    private static let file = """
        <?xml version="1.0"?>
        <gpx version="1.1" creator="test" xmlns="http://www.topografix.com/GPX/1/1"
         xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v1">
        <metadata><name>all</name></metadata>
        <wpt lat="45" lon="7"><name>hut</name></wpt><wpt lat="46" lon="7"><name>top</name></wpt>
        <trk><name>Morning &amp; noon</name><trkseg>
        \(point(45.1, "2T08:00:00", pulse(100)))\(point(45.2, "2T08:00:10", pulse(101)))</trkseg><trkseg>
        \(point(45.3, "2T09:00:00", "<name>halt</name>"))\(point(45.4, "2T09:00:10"))</trkseg></trk>
        <trk><name>Before</name><trkseg>
        \(point(46.1, "1T08:00:00"))\(point(46.2, "1T08:00:10"))</trkseg></trk>
        <trk><trkseg>
        \(point(47.1, "2T08:00:05"))\(point(47.2, "2T08:00:15", pulse(99)))</trkseg></trk>
        </gpx>
        """

    /// The tracks of GPX or KML: the name of each, and the numbers of points of its segments.
    private func tracks(_ text: String, _ track: String, _ segment: String, _ point: String) -> [String] {
        text.components(separatedBy: "<\(track)>").dropFirst().map { track in
            let name = track.firstMatch(of: /<name>(.*?)<\/name>/).map { String($0.1) } ?? "-"
            let counts = track.components(separatedBy: "<\(segment)>").dropFirst()
                .map { "\($0.components(separatedBy: "<\(point)").count - 1)" }
            return "\(name): \(counts.joined(separator: " "))"
        }
    }

    private static let expected = ["Morning &amp; noon: 2 2", "Before: 2", "-: 2"]

    @Test(arguments: ["", "--all-devices", "--simplify 1"])
    func `each track of a GPX stays one with its name, and each of its segments a segment`(option: String) async throws
    {
        let result = try await CommandTrial.run("export gpx \(option) @", reading: Self.file, as: "two.gpx")
        #expect(result.code == .done, "\(result.errors)")
        #expect(tracks(result.output, "trk", "trkseg", "trkpt") == Self.expected, "\(result.output)")
        #expect(TrackPoints.count(Array(result.output.utf8), .gpx) == 8)
    }

    @Test func `other programs find the tracks with their names and the segments`() async throws {
        let scratch = try Scratch()
        let source = try scratch.write(Self.file, to: "two.gpx").path
        for format in [TrackFormat.gpx, .kml, .geojson] {
            let result = try await CommandTrial().run("export \(format) -o \(scratch.path("out.\(format)")) \(source)")
            #expect(result.code == .done, "\(result.errors)")
        }
        for file in ["out.gpx", "out.kml"] {
            #expect(try Tool("xmllint", ["--noout", file], in: scratch.url).status == 0)
        }
        let babel = try Tool(
            "gpsbabel", ["-t", "-i", "gpx", "-f", "out.gpx", "-o", "gpx", "-F", "-"], in: scratch.url)
        #expect(tracks(babel.output, "trk", "trkseg", "trkpt") == Self.expected, "\(babel.output)\(babel.errors)")
        let readers = [("out.gpx", "gpxpy"), ("out.kml", "gdal"), ("out.geojson", "json")]
        for points in try TrackOracle.read(readers.map { (scratch.path($0.0), $0.1) }) {
            #expect(points.map(\.latitude) == [45.1, 45.2, 45.3, 45.4, 46.1, 46.2, 47.1, 47.2])
        }
    }

    @Test func `a segment that begins with the last point of the one before stays a segment`() async throws {
        let (first, second, third) = (
            Self.point(45.1, "2T08:00:00"), Self.point(45.2, "2T08:00:10"), Self.point(45.3, "2T08:00:20")
        )
        let text = """
            <gpx version="1.1" creator="test"><trk><name>a</name><trkseg>\(first)\(second)</trkseg>
            <trkseg>\(second)\(third)</trkseg></trk><trk><name>b</name><trkseg>\(third)\(first)</trkseg></trk></gpx>
            """
        let result = try await CommandTrial.run("export gpx @", reading: text, as: "a.gpx")
        #expect(tracks(result.output, "trk", "trkseg", "trkpt").prefix(2) == ["a: 2 2", "b: 1 1"], "\(result.output)")
        #expect(
            result.output.matches(of: /lat="45.2"/).count == 2 && result.output.matches(of: /lat="45.3"/).count == 2)
        let again = try await CommandTrial.run("export gpx @", reading: result.output, as: "b.gpx")
        #expect(again.output == result.output)
    }

    @Test func `KML has a placemark for each track, and GeoJSON the name at each line`() async throws {
        let kml = try await CommandTrial.run("export kml @", reading: Self.file, as: "two.gpx")
        #expect(tracks(kml.output, "Placemark", "gx:Track", "gx:coord") == Self.expected, "\(kml.output)")
        let lines = try await CommandTrial.run("export geojson @", reading: Self.file, as: "two.gpx").lines
        let names = lines.filter { $0.contains("LineString") }.map { line in
            line.firstMatch(of: /"name":"(.*?)"/).map { String($0.1) } ?? "-"
        }
        #expect(names == ["Morning & noon", "Morning & noon", "Before", "-"], "\(lines)")
    }

    @Test(arguments: TrackFormat.allCases)
    func `an export says once what it leaves out of a file`(format: TrackFormat) async throws {
        let result = try await CommandTrial.run("export \(format) @", reading: Self.file, as: "two.gpx")
        let names = format.namesTracks ? "" : ", names of 2 tracks"
        let words = "left out: heart rate of 3 points, names of 1 point, 2 waypoints\(names)\n"
        #expect(result.errors.hasSuffix("locwatch: \(words)"), "\(result.errors)")
        #expect(result.errors.components(separatedBy: "left out").count == 2)
    }

    @Test(arguments: ["stats", "watch --pace max", "export gpx -q"])
    func `other commands do not speak of it`(command: String) async throws {
        let result = try await CommandTrial.run("\(command) @", reading: Self.file, as: "two.gpx")
        #expect(!result.errors.contains("left out") && !result.output.contains("left out"), "\(result)")
    }

    @Test func `waypoints that are the track lose their names, which is said`() async throws {
        let file = ["08:00:00", "08:00:10"].map { time in
            "<wpt lat=\"45\" lon=\"7\"><time>2026-05-02T\(time)Z</time><name>hut</name></wpt>"
        }
        let text = "<gpx version=\"1.1\" creator=\"test\">\(file.joined())</gpx>"
        let result = try await CommandTrial.run("export gpx @", reading: text, as: "points.gpx")
        #expect(result.errors == "locwatch: left out: names of 2 points\n")
        #expect(
            tracks(result.output, "trk", "trkseg", "trkpt") == ["points.gpx 2026-05-02 08:00: 2"], "\(result.output)")
    }

    @Test func `files that follow each other have the name of the track that they continue`() async throws {
        let scratch = try Scratch()
        let text = Self.file
        let source = try scratch.write(text, to: "two.gpx").path
        let path = scratch.path("out-%d-%H.gpx")
        let result = try await CommandTrial().run("export gpx --utc --rotate hour -o \(path) \(source)")
        #expect(result.code == .done, "\(result.errors)")
        let files = try scratch.names.filter { $0.hasPrefix("out") }.map { name in
            "\(name): \(tracks(try scratch.text(name), "trk", "trkseg", "trkpt"))"
        }
        #expect(
            files == [
                #"out-01-08.gpx: ["Before: 2"]"#, #"out-02-08-2.gpx: ["two.gpx 2026-05-02 08:00: 2"]"#,
                #"out-02-08.gpx: ["Morning &amp; noon: 2"]"#, #"out-02-09.gpx: ["Morning &amp; noon: 2"]"#,
            ], "\(files)")
    }
}
