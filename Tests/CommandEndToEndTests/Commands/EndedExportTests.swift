import Foundation
import TestSupport
import Testing

/// Logs of a running session after the program has ended in different ways; `KilledWriterTests` kills a writer.
@Suite(.serialized, .alone) struct EndedExportTests {
    private func log(_ source: String, _ format: String, to file: URL, _ more: [String] = []) throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: Locwatch.program)
        process.arguments = ["export", format, source, "-o", file.path] + more
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func `a signal finishes the file and then ends the program`(_ number: Int32) throws {
        let scratch = try Scratch()
        let served = try ServedSession(Locwatch.fixture("walk"), pace: "10x")
        let file = scratch.url.appending(path: "log.gpx")
        let process = try log(served.source, "gpx", to: file)
        for _ in 0..<1000 {
            let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
            if text.components(separatedBy: "<trkpt").count > 4 { break }
            usleep(10_000)
        }
        kill(process.processIdentifier, number)
        process.waitUntilExit()
        #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == number)
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(text.hasSuffix("</gpx>\n"))
        #expect(try TrackOracle.read(file, by: "gpxpy").count >= 3)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.url.path) == ["log.gpx"])
    }

    @Test func `a log continues in a new segment`() throws {
        let scratch = try Scratch()
        let served = try ServedSession(Locwatch.fixture("walk"), pace: "20x")
        // Positions in gpsd's JSON have no segments.
        for (format, reader) in TrackOracle.segmentReaders where format != "json" {
            let file = scratch.url.appending(path: "log.\(format)")
            for _ in 0..<2 {
                let process = try log(served.source, format, to: file, ["-n", "4"])
                process.waitUntilExit()
                #expect(process.terminationStatus == 0)
            }
            let read = try TrackOracle.read(file, by: reader)
            // A line of KML or GeoJSON begins with the last point of the one before.
            let once = read.indices.count { $0 == 0 || read[$0].latitude != read[$0 - 1].latitude }
            #expect(once == 8, "\(format)")
            #expect(Set(read.map(\.segment)).count >= 2, "\(format)")
        }
    }

    @Test func `a file that another program logs to is refused with 73, even with force`() throws {
        let scratch = try Scratch()
        let served = try ServedSession(Locwatch.fixture("walk"), pace: "10x")
        let file = scratch.url.appending(path: "log.csv")
        let first = try log(served.source, "csv", to: file)
        for _ in 0..<1000 {
            let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
            if text.utf8.count(where: { $0 == UInt8(ascii: "\n") }) > 2 { break }
            usleep(10_000)
        }
        for arguments in [
            [served.source], [served.source, "--force"], [Locwatch.fixture("walk"), "--force"],
        ] {
            let second = try Tool(Locwatch.program, ["export", "csv", "-o", file.path] + arguments)
            #expect(second.status == 73)
            #expect(second.errors == "locwatch: cannot write to \(file.path): another program is writing to it\n")
        }
        kill(first.processIdentifier, SIGTERM)
        first.waitUntilExit()
        let times = try TrackOracle.read(file, by: "csv").map(\.time)
        #expect(times.count > 1 && Set(times).count == times.count)
    }

    @Test func `a log that is moved away continues under its name`() throws {
        let scratch = try Scratch()
        let served = try ServedSession(Locwatch.fixture("walk"), pace: "20x")
        let file = scratch.url.appending(path: "log.gpx")
        let moved = scratch.url.appending(path: "log.gpx.1")
        let process = try log(served.source, "gpx", to: file, ["-n", "30"])
        for _ in 0..<1000 {
            let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
            if text.contains("<trkpt") { break }
            usleep(10_000)
        }
        try FileManager.default.moveItem(at: file, to: moved)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        let (first, second) = (try TrackOracle.read(moved, by: "gpxpy"), try TrackOracle.read(file, by: "gpxpy"))
        #expect(!first.isEmpty && !second.isEmpty)
        #expect(first.count + second.count == 30)
    }

    @Test func `a timeout without a fix ends a log with 75 and leaves an empty track`() throws {
        let scratch = try Scratch()
        let served = try ServedSession(Locwatch.fixture("no-fix"), pace: "10x")
        let file = scratch.url.appending(path: "log.gpx")
        let process = try log(served.source, "gpx", to: file, ["-t", "1s"])
        process.waitUntilExit()
        #expect(process.terminationStatus == 75)
        #expect(try TrackOracle.read(file, by: "gpxpy").isEmpty)
    }
}
