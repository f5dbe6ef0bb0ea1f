import Foundation
import LocationCore
import TestSupport
import Testing

/// The behavior of an export with streams, folders, time zones and process limits.
@Suite(.serialized, .withFew) struct ExportProgramTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test(
        arguments: [
            ([], ["09": 600, "10": 600], "2 files, 09.gpx to 10.gpx"), (["--utc"], ["10": 1200], "10.gpx"),
        ] as [([String], [String: Int], String)])
    func `a log has a file for each day, which ends at midnight in local time or in UTC`(
        options: [String], points: [String: Int], files: String
    ) throws {
        let drive = try scratch.write(RecordedDrive.text(points: 1200, from: 3000), to: "drive.json")
        let arguments = ["export", "gpx", drive.path, "-o", "%d.gpx", "--rotate", "day"] + options
        // The recording begins fifty minutes after midnight in UTC.
        let tool = try Tool(Locwatch.program, arguments, environment: ["TZ": "WEST1"], in: scratch.url)
        #expect(tool.status == 0 && tool.errors == "locwatch: saved 1200 points in \(files)\n", "\(tool.errors)")
        for (day, count) in points {
            #expect(try TrackOracle.read(scratch.url.appending(path: "\(day).gpx"), by: "gpxpy").count == count)
        }
        // A simplified line ends with the last position of the day too.
        _ = try Tool(
            Locwatch.program, arguments + ["--simplify", "1km", "--force"], environment: ["TZ": "WEST1"],
            in: scratch.url)
        for day in points.keys {
            let track = try TrackOracle.read(scratch.url.appending(path: "\(day).gpx"), by: "gpxpy")
            let (first, last) = (Timestamp(try #require(track.first?.time)), Timestamp(try #require(track.last?.time)))
            let span = try #require(last).since(try #require(first))
            #expect(track.count < 100 && span == .seconds((points[day] ?? 0) - 1))
        }
    }

    private func longDrive() throws -> URL {
        try scratch.write(RecordedDrive.text(points: 5000), to: "drive.json")
    }

    /// Runs a command in bash, whose files can have 100 KiB; `$1` is the program, and `$2` a drive.
    private func limited(_ command: String, _ drive: URL) throws -> Tool {
        try Tool("bash", ["-c", "ulimit -f 100; \(command)", "bash", Locwatch.program, drive.path], in: scratch.url)
    }

    @Test func `an export to a full disk ends with 74, and leaves no file`() throws {
        let drive = try longDrive()
        let full = try limited("\"$1\" export gpx \"$2\" -o full.gpx", drive)
        #expect(full.status == 74)
        #expect(full.errors == "locwatch: cannot write full.gpx: File too large\n")
        #expect(try limited("\"$1\" export gpx \"$2\" >piped.gpx", drive).status == 74)
        // The shell has opened this file, so that it stays.
        #expect(scratch.names == ["drive.json", "piped.gpx"])
    }

    @Test func `a recording on a full disk leaves no empty file`() throws {
        let drive = try scratch.write(RecordedDrive.text(points: 5), to: "drive.json")
        let record = try Tool(
            "bash", ["-c", "ulimit -f 0; \"$1\" record r.json \"$2\"", "bash", Locwatch.program, drive.path],
            in: scratch.url)
        #expect(record.status == 74)
        #expect(scratch.names == ["drive.json"])
    }

    @Test func `a log on a full disk keeps its points and stays well-formed`() throws {
        let drive = try longDrive()
        let log = try limited("\"$1\" export gpx - -o log.gpx <\"$2\" | cat; exit ${PIPESTATUS[0]}", drive)
        #expect(log.status == 74)
        let streamed = try limited("cat \"$2\" | \"$1\" export gpx - -o streamed.gpx", drive)
        #expect(streamed.status == 74)
        let points = try TrackOracle.read(scratch.url.appending(path: "streamed.gpx"), by: "gpxpy").count
        #expect(points > 50 && points < 5000)
        #expect(scratch.names == ["drive.json", "streamed.gpx"])
    }
}
