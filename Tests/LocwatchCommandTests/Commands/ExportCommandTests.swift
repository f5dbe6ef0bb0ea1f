import Foundation
import GPSDProtocol
import LocationCore
import LocationTracks
import LocwatchPlatform
import LocwatchTerminal
import TestSupport
import Testing

@Suite(.serialized, .withFew) struct ExportCommandTests {
    static func fixture(_ name: String) -> String { SampleRecording.fixture(name) }

    private func export(_ format: String, _ arguments: [String]) async throws -> CommandTrial.Result {
        try await CommandTrial().run(["export", format] + arguments)
    }

    @Test(arguments: ["walk", "fix-lost-and-found", "two-devices"])
    func `watch --csv writes what export csv writes, to the last digit`(fixture: String) async throws {
        let exported = try await export("csv", [Self.fixture(fixture)]).output
        #expect(exported.split(separator: "\r\n").count > 10)
        let watched = try await CommandTrial().run(["watch", "--csv", "--pace", "max", Self.fixture(fixture)])
        #expect(watched.output == exported)
    }

    /// A receiver whose satellites are reported in two parts of six and three, without times, and whose time steps back once.
    private static let parts: String = {
        func satellites(_ numbers: ClosedRange<Int>, system: Int) -> String {
            numbers.map { #"{"PRN":\#($0),"gnssid":\#(system),"svid":\#($0),"ss":30,"used":\#($0 % 2 == 0)}"# }
                .joined(separator: ",")
        }
        var lines = [#"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/gps","driver":"NMEA0183"}]}"#]
        for (index, second) in [1, 2, 3, 4, 3, 5, 6].enumerated() {
            lines += [
                #"{"class":"TPV","device":"/dev/gps","mode":3,"time":"2026-01-01T00:00:0\#(second).000Z","#
                    + #""lat":45.00\#(index),"lon":7,"altMSL":100,"eph":5}"#,
                #"{"class":"SKY","device":"/dev/gps","nSat":6,"uSat":3,"satellites":[\#(satellites(1...6, system: 0))]}"#,
                #"{"class":"SKY","device":"/dev/gps","nSat":3,"uSat":1,"satellites":[\#(satellites(11...13, system: 6))]}"#,
            ]
        }
        return lines.joined(separator: "\n") + "\n"
    }()

    @Test(arguments: ["watch --csv --pace max", "export csv"])
    func `watch and export count the same satellites and segments`(command: String) async throws {
        let line = "\(command) --columns used,seen,segment @"
        let rows = try await CommandTrial.run(line, reading: Self.parts, as: "parts.json").lines
        #expect(rows == ["used,seen,segment"] + [1, 1, 1, 1, 2, 2, 2].map { "4,9,\($0)" })
    }

    @Test func `NMEA of positions without a time says that gpsd does not read them`() async throws {
        let text = (1...3).map { #"{"class":"TPV","device":"/dev/a","mode":2,"lat":48.\#($0),"lon":16.3}\#n"# }.joined()
        let written = try await CommandTrial.run("export nmea -o @.nmea @", reading: text)
        let lines = written.errors.split(separator: "\n")
        #expect(lines.count == 2 && lines[0].contains(#/^locwatch: saved 3 points in .*\.nmea$/#))
        #expect(lines.last == "locwatch: 3 points without a time; gpsd reads no position from sentences without one")
        #expect(try await !CommandTrial.run("export gpx @", reading: text).errors.contains("without a time"))
    }

    @Test(arguments: TrackOracle.wholeReadings)
    func `other programs read every point of a converted recording`(_ reading: TrackOracle.Reading) async throws {
        let format = reading.format.name
        let scratch = try Scratch()
        let file = scratch.url.appending(path: "track.\(format)")
        for (fixture, points, segments) in [("walk", 40, 1), ("fix-lost-and-found", 16, 2)] {
            let tool = try await export(format, [Self.fixture(fixture), "-o", file.path, "--force"])
            #expect(tool == .init(errors: "locwatch: saved \(points) points in \(file.path)\n"))
            let read = try TrackOracle.read(file, by: reading.reader)
            #expect(read.count == points)
            if reading.tellsSegments { #expect(Set(read.map(\.segment)).count == segments) }
            let first = try #require(read.first)
            let reference = fixture == "walk" ? (45.054800017, 7.686504317) : (first.latitude, first.longitude)
            #expect(abs(first.latitude - reference.0) < 2e-7 && abs(first.longitude - reference.1) < 2e-7)
            // Standard output receives the same text as the file.
            let piped = try await export(format, [Self.fixture(fixture)])
            #expect(try piped == .init(output: scratch.text(file.lastPathComponent)))
        }
    }

    @Test(arguments: [
        ["00:00.000", "00:01.000", "00:02.000", "05:02.000", "05:03.000"],
        ["00:00.000", "00:00.100", "00:00.200", "00:00.300", "00:30.000"],
        ["00:00.000", "05:00.000", "10:00.000", "15:00.000", "20:00.000"],
    ])
    func `each row of a log keeps its own satellites and dilutions`(times: [String]) async throws {
        let scratch = try Scratch()
        let rows = times.enumerated().map { index, time in
            "2025-06-01T12:\(time)Z,48.1000\(index),11.5,500,1.\(index),\(4 + index),\(14 + index)\n"
        }
        let log = try scratch.write("time,lat,lon,alt,hdop,used,seen\n" + rows.joined(), to: "log.csv").path
        // The same log as gpsd's JSON, which has a report of the satellites before each position.
        let recording = scratch.path("log.json")
        #expect(try await export("gpsd", [log, "-o", recording]).status == 0)
        for file in [log, recording] {
            let exported = try await export("csv", [file, "--columns", "hdop,used,seen"])
            #expect(exported.lines.dropFirst() == ["1,4,14", "1.1,5,15", "1.2,6,16", "1.3,7,17", "1.4,8,18"])
        }
        let shown = try await CommandTrial().run("--pace max \(log)")
        let counts = shown.lines(with: "48.1").compactMap { $0.split(separator: " ").last }
        #expect(counts == ["4/14", "5/15", "6/16", "7/17", "8/18"], "\(shown.output)")
    }

    @Test(arguments: TrackFormat.allCases.filter(\.keepsSatellites))
    func `a format that keeps the satellites has those of the recording`(_ format: TrackFormat) async throws {
        let output = try await export(format.name, [Self.fixture("walk")]).output
        #expect(output.contains(#""satellites":[{"#) || output.contains("GSV,"), "\(output.prefix(500))")
    }

    @Test(arguments: ["gpx", "kml"])
    func `a track is named after its source and its start`(_ format: String) async throws {
        let text = try await export(format, [Self.fixture("walk")]).output
        #expect(text.contains(#/<name>session.json 2026-11-2[01] [0-9]{2}:[0-9]{2}</name>/#))
    }

    @Test(arguments: ["export gpx -o -", "export gpx", "record -"])
    func `standard output opens no folder to the confined program`(command: String) async throws {
        let trial = CommandTrial(environment: ["TMPDIR": "/var/tmp"], confinement: .files)
        let said = try await trial.run("\(command) -v $FIXTURES/walk/session.json").errors
        let words = command.hasPrefix("export") ? "writes only beside /var/tmp," : "and nothing else of yours"
        #expect(said.contains(words) && !said.contains("beside -"), "\(said)")
    }

    @Test func `export and record keep an existing file without --force`() async throws {
        let scratch = try Scratch()
        let file = try scratch.write("mine", to: "track.gpx")
        for command in ["export gpx -o", "record"] {
            let refused = try await CommandTrial().run("\(command) \(file.path) $FIXTURES/walk/session.json")
            let reason = "locwatch: \(file.path) already exists; to overwrite it, add --force\n"
            #expect(refused == .init(code: .cannotCreate, errors: reason))
            #expect(try scratch.text("track.gpx") == "mine")
        }
        #expect(try await export("gpx", [Self.fixture("walk"), "-o", file.path, "--force", "-q"]).status == 0)
        #expect(try TrackOracle.read(file, by: "gpxpy").count == 40)
        #expect(scratch.names == ["track.gpx"])
    }

    @Test(arguments: [["-o"], ["--force", "-o"]])
    func `a folder is not a file that could be overwritten`(options: [String]) async throws {
        let scratch = try Scratch()
        let tool = try await export("gpx", [Self.fixture("walk")] + options + [scratch.url.path])
        let reason = "locwatch: cannot write to \(scratch.url.path): it is a folder\n"
        #expect(tool == .init(code: .cannotCreate, errors: reason))
    }

    @Test func `a session without a position gives an empty track, a message and exit code 75`() async throws {
        let scratch = try Scratch()
        let file = scratch.url.appending(path: "empty.gpx")
        let tool = try await export("gpx", [Self.fixture("no-fix"), "-o", file.path])
        #expect(tool.status == 75)
        #expect(tool.errors.hasPrefix("locwatch: saved 0 points in \(file.path)\nlocwatch: no position within 13 s"))
        #expect(try TrackOracle.read(file, by: "gpxpy").isEmpty)
        let piped = try await export("geojson", [Self.fixture("no-fix")])
        #expect(piped.status == 75)
        #expect(TrackPoints.count(Array(piped.output.utf8), .geojson) == 0)
    }

    @Test func `an input that is not a session creates no file and exits with 65`() async throws {
        let scratch = try Scratch()
        let empty = try scratch.write("", to: "empty.json").path
        let tool = try await export("gpx", [empty, "-o", scratch.path("track.gpx")])
        #expect(tool.status == 65)
        #expect(tool.errors.hasPrefix("locwatch: \(empty) is not a gpsd recording"))
        #expect(try await export("csv", [empty]).output == "")
        #expect(scratch.names == ["empty.json"])
    }

    @Test(arguments: [1, 2, 1500])
    func `no point is lost at the end, for any length and line ending`(_ points: Int) async throws {
        let text = RecordedDrive.text(points: points)
        let torn = String(text.dropLast()) + "\n" + #"{"class":"TPV","mode":3,"ti"#
        for (name, text) in [("whole", text), ("no line end", String(text.dropLast())), ("torn", torn)] {
            let tool = try await CommandTrial.run("export csv @", reading: text)
            #expect(tool.status == 0)
            let rows = tool.output.split(separator: "\r\n")
            #expect(rows.count == points + 1, "\(name)")
            let latitude = try #require(Double("45.\(100_000 + points - 1)"))
            #expect(rows.last?.contains("\(latitude)") == true, "\(name)")
        }
    }

    @Test func `a time that jumps back or ahead by days starts a segment`() async throws {
        let scratch = try Scratch()
        let session =
            RecordedDrive.text(points: 5, from: 3600) + RecordedDrive.text(points: 5)
            + RecordedDrive.text(points: 5, from: 172_800)
        let file = try scratch.write(session, to: "drive.json")
        let track = scratch.url.appending(path: "track.gpx")
        #expect(try await export("gpx", [file.path, "-o", track.path]).status == 0)
        let read = try TrackOracle.read(track, by: "gpxpy")
        #expect(read.map(\.segment) == [1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3])
    }

    @Test(arguments: [
        ("-n 7", 7), ("--interval 10s", 10), ("--distance 100000", 1), ("--simplify 5", 2),
        ("--interval 10s -n 3", 3), ("-x 30s", 30), ("-a 5", 0), ("-a 6", 100), ("--max-age 1s", 100),
    ])
    func `the filter options select points`(_ options: String, _ points: Int) async throws {
        let tool = try await CommandTrial.run("export csv \(options) @", reading: RecordedDrive.text(points: 100))
        #expect(tool.output.split(separator: "\r\n").count - 1 == points, "\(tool.errors)")
        #expect(tool.status == (points == 0 ? 75 : 0))
    }

    @Test(arguments: [[], ["-o", "-"], ["-o", "/dev/null"]]) func `only a regular file can be rotated`(
        _ options: [String]
    ) async throws {
        let tool = try await export("gpx", [Self.fixture("walk"), "--rotate", "1h"] + options)
        #expect(tool.status == 64)
        #expect(tool.errors.hasPrefix("locwatch: --rotate needs --output with a file name\n"), "\(tool.errors)")
    }

    @Test(arguments: [
        (["day", "-o", "log.gpx"], " day needs the time in the name, as in --output '%Y-%m-%d.gpx'"),
        (["hour", "-o", "%Y-%m-%d.gpx"], " hour needs the time in the name, as in --output '%Y-%m-%d-%H.gpx'"),
    ])
    func `a file that is rotated by the calendar has the time in its name`(
        _ options: [String], reason: String
    ) async throws {
        let tool = try await export("gpx", [Self.fixture("walk"), "--rotate"] + options)
        #expect(tool.status == 64)
        #expect(tool.errors.hasPrefix("locwatch: --rotate\(reason)\n"), "\(tool.errors)")
    }

    @Test func `the tracks of several receivers in one file have different names`() async throws {
        let tool = try await export("gpx", [Self.fixture("two-devices"), "--all-devices"])
        let names = tool.output.matches(of: #/<name>(.*)<\/name>\n<src>(.*)<\/src>/#)
        #expect(names.count == 2 && Set(names.map { String($0.1) }).count == 2, "\(tool.output.prefix(2000))")
        #expect(names.allSatisfy { $0.1.hasSuffix(", \($0.2)") })
    }

    @Test(arguments: SampleRecording.all)
    func `every recording gives one point per epoch, and stats counts as many`(recording: SampleRecording) async throws
    {
        let path = recording.path
        var epochs = 0
        for try await update in ReplayProvider(.path(path), pace: .max).updates() where update.location != nil {
            epochs += 1
        }
        let points = try await export("csv", ["--all-devices", path]).output.split(separator: "\r\n").count - 1
        #expect(points == epochs)
        let figures = try await CommandTrial().run(["stats", "-j", path]).output
        #expect(figures.contains(#""epochs":\#(epochs),"skies""#), "\(figures)")
    }
}
