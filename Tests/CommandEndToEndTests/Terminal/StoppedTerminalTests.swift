import Foundation
import GPSDSimulation
import Glibc
import TestSupport
import Testing

/// Live commands on a terminal that takes nothing for five seconds, as after Ctrl-S.
@Suite(.serialized, .alone) struct StoppedTerminalTests {
    private static let pause = Duration.seconds(5)
    /// The seconds between two moments that a busy machine needs at most, and a command that waits for its terminal exceeds.
    private static let gap = 4.5

    private func start(_ arguments: String, in folder: URL = Locwatch.package) throws -> Locwatch {
        try Locwatch(
            "exec $LW \(arguments)", screen: .terminal(columns: 100), environment: ["NO_COLOR": "1"], folder: folder,
            input: true)
    }

    /// Stops the terminal of a program while `body` runs, for five seconds at least, and waits for what was held back.
    private func stopTerminal(of program: Locwatch, _ body: () async throws -> Void = {}) async throws {
        program.type("\u{13}")
        let end = ContinuousClock.now + Self.pause
        try await body()
        try await Task.sleep(until: end)
        let length = program.output.utf8.count
        program.type("\u{11}")
        try await program.wait { $0.output.utf8.count > length }
    }

    /// Returns the longest time between two moments that follow each other.
    private func longestGap(_ moments: [Double]) -> Double {
        zip(moments, moments.dropFirst()).map { $1 - $0 }.max() ?? .infinity
    }

    /// Returns the times of the devices that a program has printed.
    private func times(_ program: Locwatch) throws -> [Double] {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        return try Events.of("device", in: program.lines.joined(separator: "\n")).map { event in
            try style.parse(#require(event["time"] as? String)).timeIntervalSince1970
        }
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
        #expect(longestGap(moments) < Self.gap, "\(moments)")
    }

    /// Returns a daemon whose receiver comes and goes with each line.
    private func daemon() throws -> StandInGPSD {
        let times = [#""2026-11-20T09:00:00.000Z""#, "0"]
        let lines = (0..<4).map {
            #"{"class":"DEVICE","path":"/dev/ttyACM0","driver":"u-blox","activated":\#(times[$0 % 2])}"#
        }
        var settings = StandInGPSD.Settings()
        settings.advance = .byHand
        return try StandInGPSD(StandInRecording(lines.joined(separator: "\n")), settings: settings)
    }

    @Test func `a list of receivers has the times of the changes`() async throws {
        let daemon = try daemon()
        let program = try start("devices --follow -q -j localhost:\(daemon.port)")
        #expect(await daemon.wait { $0.watchers == 1 })
        daemon.send(lines: 1)
        try await program.wait { $0.output.contains("reporting") }
        let shown = try times(program).count
        try await stopTerminal(of: program) {
            for _ in 0..<3 {
                daemon.send(lines: 1)
                try await Task.sleep(for: .seconds(1.5))
            }
        }
        try await program.wait { ((try? times($0).count) ?? 0) >= shown + 3 }
        #expect(try await program.end(by: SIGINT) == 128 + SIGINT)
        let moments = try times(program)[shown...]
        #expect(longestGap(Array(moments)) < Self.gap, "\(moments)")
    }
}
