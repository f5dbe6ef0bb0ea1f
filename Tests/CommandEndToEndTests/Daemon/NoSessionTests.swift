import Foundation
import TestSupport
import Testing

/// The errors for a source that is not a session.
@Suite(.serialized, .withFew) struct NoSessionTests {
    /// A source that is not a session, with the words that say so.
    private typealias Source = (word: String, told: String)

    private static let cases: [Source] = [
        ("small.txt", "small.txt is not a gpsd recording: gpsd found no report in it; it begins with the text "),
        (
            "large.txt",
            "large.txt is not a gpsd recording: gpsd found no report in its first 1 MB; it begins with the text "
        ),
        ("- </dev/null", "is empty"), ("empty.json", "empty.json is not a gpsd recording: it is empty"),
        ("replay:/dev/null", "/dev/null is not a gpsd recording: it is empty"),
        ("./", "cannot read ./: is a directory"),
        ("./missing.json", "cannot read ./missing.json: no such file"),
    ]

    private func run(_ line: String) async throws -> (code: Int32, output: String, errors: String) {
        let folder = try Scratch()
        try folder.write("", to: "empty.json")
        try folder.write("no session\n", to: "small.txt")
        // Large enough to be read ahead.
        try folder.write(String(repeating: "no session\n", count: 200_000), to: "large.txt")
        return try await Locwatch.run(line, folder: folder.url)
    }

    /// Each source, and for one that cannot be read and one that has no reports each command.
    private static let runs: [(source: Source, command: String)] =
        cases.map { (source: $0, command: "") }
        + ["once", "stats", "export csv", "record copy.json"].flatMap { command in
            [cases[0], cases[6]].map { (source: $0, command: command) }
        }

    @Test(arguments: runs) func `the error and the advice are printed once on standard error`(
        source: (word: String, told: String), command: String
    ) async throws {
        let run = try await run("$LW \(command) \(source.word)")
        let isUnreadable = source.word.hasPrefix("./")
        #expect(run.code == (isUnreadable ? 66 : 65))
        let errors = run.errors.split(separator: "\n").filter { !$0.hasPrefix("locwatch: saved") }
        #expect(errors.first?.lowercased().contains(source.told.lowercased()) == true, "\(run.errors)")
        #expect(errors.count == (isUnreadable ? 1 : 2), "\(run.errors)")
        #expect(run.output.isEmpty, "\(run.output)")
    }

    @Test(arguments: runs.filter { ["", "stats"].contains($0.command) })
    func `JSON contains the error with the present time and no state of a session`(
        source: (word: String, told: String), command: String
    ) async throws {
        let times = ISO8601DateFormatter()
        times.formatOptions.insert(.withFractionalSeconds)
        let began = Date.now
        let run = try await run("$LW \(command) -j \(source.word)")
        let lines = try Events.all(in: run.output)
        #expect(lines.compactMap { $0["event"] as? String } == ["start", "error", "end"], "\(run.output)")
        for line in lines.dropFirst() {
            let text = try #require(line["time"] as? String)
            let time = try #require(times.date(from: text))
            #expect((began.addingTimeInterval(-1)...Date.now.addingTimeInterval(1)).contains(time), "\(run.output)")
        }
        #expect(lines.last?["locations"] as? Int == 0)
    }
}
