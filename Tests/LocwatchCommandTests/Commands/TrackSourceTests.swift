import Foundation
import LocationCore
import GPSDProtocol
import TestSupport
import Testing

@testable import GPSDSimulation
@testable import LocationTracks
@testable import LocwatchArguments
@testable import LocwatchPrinting
@testable import LocwatchTerminal

/// Tests of the commands with a track as their source.
@Suite(.serialized, .withClocks) struct TrackSourceTests {
    private static let tracks = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Tracks")
        .standardizedFileURL.path
    private static let files = [
        "gpxpy-1.0.gpx", "gpxpy-1.1.gpx", "gdal.gpx", "gpsbabel.gpx", "gpsbabel-points.kml", "gpsbabel-track.kml",
        "gdal-points.geojson",
    ]

    @Test(arguments: ["", "-t 5s", "--pace 1000x", "--fence home=48.2,16.3,100"])
    func `once prints the first point of a track with a point a minute`(options: String) async throws {
        let text = "time,lat,lon\n" + (0..<5).map { "2026-03-15T10:0\($0):00Z,48.2,16.3\($0)\n" }.joined()
        let result = try await CommandTrial.run("once -f %{time} \(options) @", reading: text, as: "hike.csv")
        #expect(result.code == .done, "\(result.errors)")
        #expect(result.lines.first?.hasPrefix("2026-03-15T10:00:00") == true, "\(result.output)")
    }

    @Test(arguments: ["gdal.gpx", "gpsbabel-track.kml", "gdal-points.geojson"], ["", "--all-devices"])
    func `a track that begins is found without a search`(_ name: String, options: String) async throws {
        let watched = try await CommandTrial().run("watch --pace max \(options) \(Self.tracks)/\(name)")
        #expect(watched.output.contains("3D fix\n") && !watched.output.contains("fix after"), "\(watched.output)")
    }

    @Test(arguments: files)
    func `watch, stats, once, record and export take a track by nothing but its name`(_ name: String) async throws {
        let file = "\(Self.tracks)/\(name)"
        let scratch = try Scratch()
        let watched = try await CommandTrial().run("watch --pace max -j \(file)")
        #expect(watched.code == .done && watched.errors.isEmpty)
        #expect(watched.lines(with: #""event":"location""#).count == 6)
        #expect(watched.output.contains(#""time":"2026-11-20T09:10:02.000Z","lat":48.21014"#))
        let statistics = try await CommandTrial().run("stats \(file)")
        #expect(statistics.code == .done && statistics.output.contains("6 epochs"))
        #expect(try await CommandTrial().run("once \(file)").code == .done)
        let recording = scratch.path("r.json")
        #expect(try await CommandTrial().run("record \(recording) \(file)").code == .done)
        let table = "--csv --columns time,lat,lon,alt --pace max"
        let replayed = try await CommandTrial().run("watch \(table) \(recording)")
        let direct = try await CommandTrial().run("watch \(table) \(file)")
        #expect(replayed.output == direct.output && direct.lines.count == 7)
        let exported = try await CommandTrial().run("export csv --columns time,lat,lon,alt \(file)")
        #expect(exported.code == .done && exported.lines.count == 7)
    }

    @Test(arguments: [TrackFormat.gpx, .kml, .geojson, .csv])
    func `late positions are no gaps of a track that is exported and read again`(_ format: TrackFormat) async throws {
        let scratch = try Scratch()
        let seconds = [0, 1, 2, 4, 3, 5, 6, 8, 7, 9]
        let rows = seconds.map { "2026-03-15T10:00:0\($0)Z,48.2,16.3\($0)\n" }
        let original = try scratch.write("time,lat,lon\n" + rows.joined(), to: "late.csv").path
        let exported = scratch.path("again.\(format.name)")
        #expect(try await CommandTrial().run("export \(format.name) -o \(exported) \(original)").code == .done)
        for file in [original, exported] {
            let statistics = try await CommandTrial().run("stats \(file)").output
            #expect(statistics.contains("2 late") && statistics.contains("Gaps          none"), "\(statistics)")
        }
    }

    /// The figures of a file do not depend on the length of its path.
    @Test(arguments: ["csv", "gpx", "kml", "geojson", "json"], [0, 80])
    func `the times of a track with pauses and two receivers survive an export`(
        _ format: String, length: Int
    ) async throws {
        let start = Timestamp(secondsSince1970: 1_783_238_400)
        let pause = 3 * 86_400
        let rows = (0..<40).flatMap { second in
            // A pause of 15 s, which does not interrupt the track, and one of three days, which does.
            let time = start.advanced(by: .seconds(second + second / 10 * 15 + second / 20 * pause))
            return ["A", "B"].map { "\(time),47.\(second + 100),8.\($0 == "A" ? 1 : 2),\($0)\n" }
        }
        let scratch = try Scratch()
        let end = String(repeating: "x", count: length)
        let csv = try scratch.write("time,lat,lon,device\n" + rows.joined(), to: "a\(end).csv").path
        let file = scratch.path("b\(end).\(format)")
        _ = try await CommandTrial().run("export \(format) --all-devices -o \(file) \(csv)")
        func figures(_ file: String) async throws -> [String] {
            try await CommandTrial().run("stats \(file)").lines.filter { line in
                ["Gaps", "Avail", "Receiv", "     "].contains { line.hasPrefix($0) }
            }
        }
        let original = try await figures(csv)
        #expect(original.contains { $0.hasPrefix("Gaps          1") }, "\(original)")
        #expect(original.contains { $0.hasPrefix("Availability  0 % of the time: 1 min 9 s of 3 d") }, "\(original)")
        #expect(original.contains { $0.contains("2026-07-05 08:00:35  for 3 d") }, "\(original)")
        #expect(try await figures(file) == original)
    }

    @Test(arguments: [("", 1), ("--stale 10m", 9)])
    func `a track whose points are an hour apart is not interrupted within a segment`(
        option: String, segments: Int
    ) async throws {
        let points = (0..<9).map { "<trkpt lat='48.\($0)' lon='16'><time>2026-11-20T0\($0):00:00Z</time></trkpt>" }
        let text = "<gpx><trk><trkseg>\(points.joined())</trkseg></trk></gpx>"
        let exported = try await CommandTrial.run("export gpx \(option) @", reading: text, as: "slow")
        #expect(exported.output.components(separatedBy: "<trkseg>").count - 1 == segments)
    }

    /// The pause between the segments of the track does not count as a stay.
    @Test func `a fence reports that a track begins in it and leaves it`() async throws {
        let fence = "--fence start=48.2081743,16.3738189,20"
        let result = try await CommandTrial().run("watch -j --pace max \(fence) \(Self.tracks)/gpxpy-1.1.gpx")
        #expect(try result.texts("fence", "change") == ["inside", "exit"])
    }

    @Test func `a track without times is an error that names the parameter, and works with it`() async throws {
        let file = "\(Self.tracks)/gpsbabel-untimed.geojson"
        let refused = try await CommandTrial().run("stats \(file)")
        let reason = """
            locwatch: cannot read the track \(file): none of its 6 points has a valid time
            locwatch: give them times with a speed, as in 'ride.gpx?speed=50km/h'

            """
        #expect(refused == .init(code: .badData, errors: reason))
        let json = try await CommandTrial().run("watch -j \(file)")
        #expect(try json.code == .badData && json.texts("error", "code") == ["untimed"])
        let given = try await CommandTrial().run("stats \(file)?speed=36km/h")
        #expect(given.code == .done && given.output.contains("6 epochs"))
    }

    @Test(
        arguments: [
            ("\u{1B}[2J", "x.gpx", "it begins like no track"), ("<\u{1B}/>", "x", "line 1: the XML is damaged"),
            ("<gpx creator='", "x", "it ends before the end of its first point or line"),
            (#"{"type":"Feature",}"#, "x.geojson", "line 1: the JSON is damaged"),
        ], ["stats", "watch", "once", "export gpx", "serve"])
    func `a file that is not a track is an error with the reason`(
        file: (text: String, name: String, reason: String), command: String
    ) async throws {
        let result = try await CommandTrial.run("\(command) @", reading: file.text, as: file.name)
        #expect(result.code == .badData)
        let reason = file.reason
        #expect(result.errors.contains("cannot read the track ") && result.errors.contains(reason), "\(result.errors)")
        #expect(!result.errors.contains("\u{1B}") && !result.output.contains("\u{1B}"))
    }

    @Test func `a torn or partly untimed track says so, and its points count`() async throws {
        let text =
            "<gpx><trk><trkseg><trkpt lat='1' lon='2'/>"
            + "<trkpt lat='1' lon='2'><time>2026-11-20T09:00:00Z</time></trkpt><trkpt lat='1' lon='2.1'><time>2026-11-20T09:00:0"
        let result = try await CommandTrial.run("watch --csv --pace max @", reading: text, as: "torn.gpx")
        #expect(result.code == .done && result.lines.count == 2)
        #expect(result.errors.contains("1 point without a valid time was skipped"), "\(result.errors)")
        #expect(result.errors.contains("the track is not complete"))
    }

    @Test(arguments: [("time,lat,lon", ""), ("time,lat,lon,alt", ",100")])
    func `the climb of a track without altitudes is unknown`(columns: String, altitude: String) async throws {
        let rows = (0..<20).map { "2026-01-01T00:00:\($0 + 10)Z,47.0\($0 + 10),8.0\(altitude)\n" }
        let text = columns + "\n" + rows.joined()
        let spoken = try await CommandTrial.run("stats @", reading: text, as: "ride.csv")
        let json = try await CommandTrial.run("stats -j @", reading: text, as: "ride.csv")
        #expect(spoken.output.contains("Climb") != altitude.isEmpty)
        #expect(json.output.contains("\"ascent\":0") != altitude.isEmpty)
    }

    @Test func `a missing library has the exit code of what is unavailable`() {
        let error = LocationError.libraryMissing(name: "libexpat.so.1", package: "libexpat1", path: "a.gpx")
        #expect(ExitCode(for: error) == .unavailable)
        let reason = "cannot read the track a.gpx: it needs libexpat.so.1, which is in the package libexpat1"
        #expect(ErrorText(error).lines.contains(reason))
    }

    // A track with satellites has a SKY for each point, and one with segments an epoch without a fix between them.
    @Test(arguments: files.map { ($0, $0.contains(".kml") ? 6 : 13) })
    func `serve has each point of a track as a line`(_ name: String, lines: Int) throws {
        let source = RecordedSource(path: "\(Self.tracks)/\(name)")
        let reading = source.reading(Settings(), now: Timestamp(nanosecondsSince1970: 0))
        let session = try StandInRecording(path: source.path, reading: reading)
        #expect(session.lines.count { $0.isSent } == lines)
    }

    @Test func `a simulated receiver moves along a track by its times, or at a speed`() throws {
        func scenario(_ word: String) throws -> (path: [Double], scenario: Duration) {
            let source = try SimulatedSource(word, prefix: "sim:")
            let path = try #require(try source.scenario()?.path)
            return (path.places.map { $0.offset.inSeconds }, path.duration)
        }
        // The pause of ten minutes between the segments is shortened to 10 s.
        #expect(try scenario("\(Self.tracks)/gpxpy-1.1.gpx").path == [0, 1, 2.5, 12.5, 13.5, 14.5])
        let fast = try scenario("\(Self.tracks)/gpsbabel-untimed.geojson?speed=36km/h&loop")
        #expect(fast.path.count == 6 && fast.path[1] > 0.3 && fast.path[1] < 0.5)
        let word = "walk?lat=48.2&lon=16.37&rate=10&speed=2m/s&noise=3m"
        let walk = try #require(try SimulatedSource(word, prefix: "sim:").scenario())
        #expect(walk.route.places[0] == Coordinate(latitude: 48.2, longitude: 16.37))
        #expect(walk.rate == 10 && walk.motion.speed == 2 && walk.positionError == 3)
    }

    @Test(
        arguments: [
            ("\(tracks)/gpsbabel-untimed.geojson", .badData, "none of its 6 points has a valid time"),
            ("$FIXTURES/walk/session.json", .badData, "it is not a track"),
            ("./none.gpx", .noInput, "No such file"), ("/tmp", .noInput, "a simulated receiver needs a regular file"),
        ] as [(String, ExitCode, String)], ["watch", "serve"])
    func `a simulated receiver on a file that is not a track with times is an error of the file`(
        file: (word: String, code: ExitCode, reason: String), command: String
    ) async throws {
        let result = try await CommandTrial().run("\(command) sim:\(file.word)")
        #expect(result.code == file.code && result.errors.contains(file.reason), "\(result.errors)")
    }
}
