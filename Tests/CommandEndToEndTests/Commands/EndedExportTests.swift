import Foundation
import TestSupport
import Testing

/// Logs of a running session after the program has ended in different ways.
@Suite(.serialized, .withFew) struct EndedExportTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func log(_ served: ServedSession, _ name: String, _ more: String = "") throws -> Locwatch {
        let format = name.split(separator: ".")[1]
        return try Locwatch("exec $LW export \(format) \(served.source) -o \(name) \(more)", folder: scratch.url)
    }

    /// Waits until the file of a log has more than a number of texts.
    private func wait(_ log: Locwatch, _ name: String, for count: Int, _ text: String) async throws {
        try await log.wait { _ in ((try? scratch.text(name)) ?? "").components(separatedBy: text).count > count + 1 }
    }

    private func track(_ name: String, by reader: String = "gpxpy") throws -> [TrackOracle.Point] {
        try TrackOracle.read(scratch.url.appending(path: name), by: reader)
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func `a signal finishes the file and then ends the program`(_ number: Int32) async throws {
        let served = try await ServedSession(Locwatch.fixture("walk"), pace: "10x")
        let log = try log(served, "log.gpx")
        try await wait(log, "log.gpx", for: 3, "<trkpt")
        #expect(try await log.end(by: number) == 128 + number)
        #expect(try scratch.text("log.gpx").hasSuffix("</gpx>\n"))
        #expect(try track("log.gpx").count >= 3)
        #expect(scratch.names == ["log.gpx"])
    }

    @Test func `the log of a program that was killed is resumed`() async throws {
        let served = try await ServedSession(Locwatch.fixture("walk"), pace: "10x")
        let killed = try log(served, "log.gpx")
        try await wait(killed, "log.gpx", for: 3, "<trkpt")
        #expect(try await killed.end(by: SIGKILL) == 128 + SIGKILL)
        let count = try scratch.text("log.gpx").components(separatedBy: "<trkpt").count - 1
        let resumed = try log(served, "log.gpx")
        try await wait(resumed, "log.gpx", for: count + 2, "<trkpt")
        #expect(try await resumed.end(by: SIGINT) == 128 + SIGINT)
        // The last point can have been torn.
        #expect(try track("log.gpx").count > count)
        #expect(scratch.names == ["log.gpx"])
    }

    @Test func `a file that another program logs to is refused with 73, even with force`() async throws {
        let served = try await ServedSession(Locwatch.fixture("walk"), pace: "10x")
        let first = try log(served, "log.csv")
        try await wait(first, "log.csv", for: 1, "Z,")
        for arguments in [served.source, "\(served.source) --force", "\(Locwatch.fixture("walk")) --force"] {
            let second = try await Locwatch.run("$LW export csv -o log.csv \(arguments)", folder: scratch.url)
            #expect(second.code == 73)
            #expect(second.errors == "locwatch: cannot write to log.csv: another program is writing to it\n")
        }
        try await first.stop()
        let times = try track("log.csv", by: "csv").map(\.time)
        #expect(times.count > 1 && Set(times).count == times.count)
    }
}
