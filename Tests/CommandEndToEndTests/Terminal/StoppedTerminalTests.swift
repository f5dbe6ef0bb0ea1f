import Foundation
import TestSupport
import Testing

/// Live commands on a terminal that takes nothing for five seconds, as after Ctrl-S.
@Suite(.serialized, .withFew, .onlyInMakeTest) struct StoppedTerminalTests {
    private static let pause = Duration.seconds(5)
    /// The seconds between two moments that a busy machine needs at most, and a command that waits for its terminal exceeds.
    private static let gap = 4.5

    private func start(_ arguments: String, in folder: URL = Locwatch.package) throws -> Locwatch {
        try Locwatch(
            "exec $LW \(arguments)", screen: .terminal(columns: 100), environment: ["NO_COLOR": "1"], folder: folder,
            input: true)
    }

    /// Stops the terminal of a program for five seconds, and waits for what was held back.
    private func stopTerminal(of program: Locwatch) async throws {
        program.type("\u{13}")
        try await RealTime.pass(Self.pause, because: "a gap is longer than the time between two positions")
        let length = program.output.utf8.count
        program.type("\u{11}")
        try await program.wait { $0.output.utf8.count > length }
    }

    @Test func `statistics count no gap`() async throws {
        let served = try await ServedSession(Locwatch.fixture("walk"), pace: "1x")
        let program = try start("stats \(served.source)")
        try await program.wait { $0.output.contains("Availability") }
        try await stopTerminal(of: program)
        #expect(try await program.end(by: SIGINT) == 128 + SIGINT)
        let page = program.output.components(separatedBy: "\u{1B}[J").last ?? ""
        #expect(page.contains("Gaps          none"), "\(page)")
    }

    @Test(arguments: ["", "-v"])
    func `a recording has no gap although its status line waits`(option: String) async throws {
        let (served, folder) = (try await ServedSession(Locwatch.fixture("walk"), pace: "1x"), try Scratch())
        let program = try start("record \(option) session.json \(served.source)", in: folder.url)
        try await program.wait { $0.output.contains(/recording for \d+ s, \d+ lines, \d+ bytes\u{1B}/) }
        try await stopTerminal(of: program)
        #expect(try await program.end(by: SIGINT) == 128 + SIGINT)
        let lines = try folder.text("session.json").split(whereSeparator: \.isNewline)
        let found = try #require(lines.firstIndex { $0.contains(#""mode":3"#) })
        let moments = lines[found...].compactMap { $0.firstMatch(of: /"at":([0-9.]+)/).flatMap { Double($0.1) } }
        #expect(zip(moments, moments.dropFirst()).map { $1 - $0 }.max() ?? .infinity < Self.gap, "\(moments)")
    }
}
