import Foundation
import GPSDSimulation
import LocationCore
import LocwatchPlatform
import TestSupport
import Testing

/// The raw logs of receivers, given to the program by nothing but the names of their files.
@Suite(.serialized, .withFew) struct RawLogProgramTests {
    /// A folder with a log in NMEA and one in UBX.
    private struct Logs {
        let folder: Scratch
        let epochs: [[UInt8]]

        init() throws {
            folder = try Scratch()
            let start = Timestamp(nanosecondsSince1970: 1_772_352_000_000_000_000)
            epochs = ScenarioEncoder(.walk, start: start, duration: .seconds(20)).map(\.bytes)
            _ = try folder.write(epochs.flatMap(\.self), to: "drive.nmea")
            let frames = (0..<20).flatMap { UBXFrame.position($0) + UBXFrame.satellites($0) }
            _ = try folder.write(frames, to: "flight.ubx")
        }

        func run(_ line: String) async throws -> (code: Int32, output: String, errors: String) {
            try await Locwatch.run(line, folder: folder.url)
        }
    }

    @Test(arguments: ["drive.nmea", "flight.ubx"])
    func `a stranger's log works at the first try`(name: String) async throws {
        let logs = try Logs()
        let watched = try await logs.run("$LW watch --pace 100x \(name)")
        #expect(watched.code == 0 && watched.errors.isEmpty, "\(watched.errors)")
        #expect(watched.output.contains("found      3D fix"), "\(watched.output)")
        #expect(watched.output.split(separator: "\n").count { $0.contains("+-") } >= 15, "\(watched.output)")
        let figures = try await logs.run("$LW stats \(name)")
        #expect(figures.code == 0 && figures.errors.isEmpty, "\(figures.errors)")
        #expect(figures.output.contains("1 per second"), "\(figures.output)")
        let track = try await logs.run("$LW export gpx \(name)")
        #expect(track.code == 0 && track.output.components(separatedBy: "<trkpt").count > 15, "\(track.errors)")
        let recorded = try await logs.run("$LW record -q a.json \(name) && $LW stats a.json")
        #expect(recorded.code == 0)
        func withoutName(_ text: String) -> [Substring] { Array(text.split(separator: "\n").dropFirst()) }
        #expect(withoutName(recorded.output) == withoutName(figures.output))
        for open in ["raw:\(name)", "/dev/stdin < \(name)", "/dev/fd/7 7< \(name)"] {
            let raw = try await logs.run("$LW stats \(open)")
            #expect(withoutName(raw.output) == withoutName(figures.output), "\(open): \(raw.errors)")
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give its rights up"), arguments: ["", "--on found=true"])
    func `the gpsd of a log gives up root's rights, whether the session confines itself or has a hook`(
        option: String
    ) async throws {
        let logs = try Logs()
        let program = try Locwatch("exec $LW watch --pace 1x \(option) flight.ubx", folder: logs.folder.url)
        try await program.wait { $0.output.contains("+-") }
        let daemon = RunningProcess(try #require(program.daemon))
        #expect(daemon.status("Uid")?.contains("0\t0") == false, "\(daemon.status("Uid") ?? "")")
        #expect(daemon.status("CapPrm") == "0000000000000000")
        try await program.stop()
        #expect(!daemon.isRunning)
    }

    @Test func `a track on standard input or in a pipe has the figures of the file`() async throws {
        let folder = try Scratch()
        // A pause of ten minutes does not interrupt a track.
        let points = (0..<60).map { point in
            let time = Timestamp(secondsSince1970: 1_783_238_400).advanced(by: .seconds(point * 2 + point / 30 * 600))
            return "<trkpt lat='46.\(5000 + point)' lon='11.3'><time>\(time)</time></trkpt>"
        }
        let text = "<gpx><trk><trkseg>\(points.joined())</trkseg></trk></gpx>"
        try folder.write(text, to: "walk.gpx")
        func figures(_ line: String) async throws -> [Substring] {
            let result = try await Locwatch.run("$LW stats \(line)", folder: folder.url)
            #expect(result.code == 0 && result.errors.isEmpty, "\(result.errors)")
            return Array(result.output.split(separator: "\n").dropFirst())
        }
        let expected = try await figures("walk.gpx")
        #expect(expected.contains { $0.hasPrefix("Gaps") && $0.hasSuffix("none") }, "\(expected)")
        for open in ["- < walk.gpx", "<(cat walk.gpx)", "<(gzip -c walk.gpx)"] {
            #expect(try await figures(open) == expected, "\(open)")
        }
        try folder.write(String(text.dropLast(30)), to: "torn.gpx")
        for open in ["torn.gpx", "- < torn.gpx", "<(cat torn.gpx)", "<(gzip -c torn.gpx)"] {
            let result = try await Locwatch.run("$LW stats \(open)", folder: folder.url)
            #expect(result.code == 0 && result.errors.contains("the track is not complete"), "\(open)")
            let watch = try await Locwatch.run("$LW watch -n 1 --pace max \(open)", folder: folder.url)
            #expect(watch.output.contains("found      2D fix\n"), "\(watch.output)")
        }
    }

    @Test func `a log from a pipe is shown while it is written`() async throws {
        let logs = try Logs()
        let program = try Locwatch("exec $LW -", input: true)
        for epoch in logs.epochs.prefix(6) { program.type(String(decoding: epoch, as: UTF8.self)) }
        try await program.wait(.seconds(60)) { $0.output.contains("+-") }
        for epoch in logs.epochs.dropFirst(6) { program.type(String(decoding: epoch, as: UTF8.self)) }
        try await program.wait(.seconds(60)) { $0.lines.count { $0.contains("+-") } >= 12 }
        program.endInput()
        #expect(try await program.end(.seconds(60)) == 0)
    }

    @Test func `a log without dates from a pipe is shown while it is written`() async throws {
        let epochs = try Logs().epochs.map { epoch in
            String(decoding: epoch, as: UTF8.self).split(separator: "\r\n").filter { line in
                ["GGA", "GSA"].contains { line.dropFirst(3).hasPrefix($0) }
            }.map { "\($0)\r\n" }.joined()
        }
        let program = try Locwatch("exec $LW -", input: true)
        for epoch in epochs.prefix(8) { program.type(epoch) }
        // The position of the last epoch does not wait for the next one.
        try await program.wait(.seconds(60)) { $0.lines.count { $0.contains("+-") } >= 8 }
        for epoch in epochs.dropFirst(8) { program.type(epoch) }
        program.endInput()
        #expect(try await program.end(.seconds(60)) == 0)
        #expect(program.lines.count { $0.contains("+-") } == epochs.count, "\(program.output)")
    }

    @Test(arguments: ["drive.nmea", "drive.json"])
    func `a file that is being written is followed`(name: String) async throws {
        let logs = try Logs()
        _ = try await logs.run("$LW record -q drive.json drive.nmea")
        let path = logs.folder.url.appending(path: name)
        let whole = try Data(contentsOf: path)
        try whole.prefix(whole.count / 2).write(to: path)
        let program = try Locwatch("exec $LW --follow \(name)", folder: logs.folder.url)
        try await program.wait(.seconds(60)) { $0.lines.count { $0.contains("+-") } >= 4 }
        let file = try FileHandle(forWritingTo: path)
        try file.seekToEnd()
        try file.write(contentsOf: whole.dropFirst(whole.count / 2))
        try file.close()
        try await program.wait(.seconds(60)) { $0.lines.count { $0.contains("+-") } >= 15 }
        program.signal(SIGINT)
        #expect(try await program.end(.seconds(60)) == 130)
    }

    @Test(arguments: [
        ("drive.nmea.gz", "gzip", "gzip"),
        ("drive.nmea.xz", "xz", "xz-utils"), ("drive.nmea.zst", "zstd", "zstd"),
    ])
    func `a program that is missing is named with its package`(name: String, program: String, package: String)
        async throws
    {
        let logs = try Logs()
        try await #expect(logs.run("gzip -k drive.nmea; xz -k drive.nmea; zstd -q drive.nmea").code == 0)
        let run = try await logs.run("PATH=/nowhere $LW stats \(name)")
        #expect(run.code == 69)
        #expect(run.errors.contains("\(program) is not installed: install the package \(package)"), "\(run.errors)")
        #expect(run.output.isEmpty)
    }

    @Test func `the figures of a torn archive are shown before its error`() async throws {
        let logs = try Logs()
        let run = try await logs.run("gzip -c drive.nmea | head -c 3000 >torn.gz; $LW stats torn.gz")
        #expect(run.code == 65)
        #expect(run.errors.contains("torn.gz is torn or damaged: gzip: unexpected end of file"), "\(run.errors)")
        #expect(run.output.contains("Positions"), "\(run.output)")
        let kept = try await logs.run("$LW record a.json torn.gz; $LW stats a.json")
        #expect(kept.code == 0 && kept.output.contains("Positions"), "\(kept.errors)")
    }

    /// Random bytes, in the first megabyte of which gpsd finds some corrections.
    private static let noise = """
        exec 2>/dev/null; python3 -c 'import random, sys
        generator = random.Random(88)
        while True: sys.stdout.buffer.write(generator.randbytes(1 << 20))'
        """

    @Test(arguments: ["yes", "cat /dev/zero", noise])
    func `an endless pipe without a report is given up`(writer: String) async throws {
        let program = try Locwatch("(\(writer)) | $LW stats -")
        #expect(try await program.end(.seconds(120)) == 65)
        #expect(program.errors.contains(" in its first 1 MB"), "\(program.errors)")
    }

    @Test func `a recording that is read as a log is named as a recording`() async throws {
        let logs = try Logs()
        let run = try await logs.run("$LW record -q drive.json drive.nmea; $LW once raw:drive.json")
        #expect(run.code == 65 && run.output.isEmpty)
        let message = "drive.json is a gpsd recording, not a receiver's log; leave out \"raw:\""
        #expect(run.errors == "locwatch: \(message)\n")
        let folder = try await logs.run("$LW record . drive.nmea")
        #expect(folder.code == 73 && folder.errors == "locwatch: cannot create .: Is a directory\n")
    }

    @Test func `a directory and a socket are named as such`() async throws {
        let logs = try Logs()
        let path = logs.folder.path("socket")
        let descriptor = try LocalSocket.bound(to: path)
        defer { close(descriptor) }
        for (name, cause) in [("./socket", "it is a socket"), ("raw:.", "Is a directory")] {
            let run = try await logs.run("$LW stats \(name)")
            #expect(run.code == 66)
            #expect(run.errors.contains(cause), "\(run.errors)")
        }
    }

    @Test func `a stream that cannot be opened is an error without the password`() async throws {
        let run = try await Locwatch.run(
            "$LW once -v --no-reconnect ntrip://joe@127.0.0.1:1/MOUNT", environment: ["LOCWATCH_PASSWORD": "s3cr3t"])
        #expect(run.code == 69)
        #expect(run.errors.contains("127.0.0.1:1") && run.errors.lowercased().contains("refused"), "\(run.errors)")
        #expect(!run.errors.contains("s3cr3t") && !run.output.contains("s3cr3t"))
        let doctor = try await Locwatch.run("$LW doctor tcp://127.0.0.1:1")
        #expect(doctor.code == 69 && doctor.output.contains("check that the server runs"), "\(doctor.output)")
    }

    @Test(arguments: ["drive.gpx", "drive.csv", "drive.igc"])
    func `a log of a receiver is one, whatever the name of its file`(name: String) async throws {
        let scratch = try Scratch()
        // The receiver moves: reports of one coordinate and without a date are one epoch.
        let log = (0..<5).map { "$GPGGA,12000\($0).00,4812.000\($0),N,01622.2000,E,1,08,0.9,200.0,M,40.0,M,,*" }.map {
            $0 + String(format: "%02X", $0.utf8.dropFirst().dropLast().reduce(0, ^)) + "\r\n"
        }
        try scratch.write(log.joined(), to: name)
        let run = try await Locwatch.run("$LW stats \(name)", folder: scratch.url)
        #expect(run.code == 0 && run.output.contains("5 epochs"), "\(run.errors)\(run.output)")
    }
}
