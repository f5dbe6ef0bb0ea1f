import Foundation
import GPSDSimulation
import TestSupport
import Testing

/// Programs that are stopped, blocked or without work while time passes.
@Suite(.serialized, .withFew, .onlyInMakeTest) struct RealTimeTests {
    // MARK: Readers that take nothing

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

    @Test(arguments: ["localhost:1", "sim:walk"])
    func `a program whose output is a socket, as in tmux, ends with its peer`(source: String) async throws {
        let script =
            "import os,socket,subprocess,sys; a,b=socket.socketpair(); "
            + "p=subprocess.Popen([sys.argv[1],'-q','-f','tmux',sys.argv[2]],stdin=b,stdout=b,stderr=subprocess.DEVNULL); "
            + "b.close(); a.recv(100); print('read',flush=True); sys.stdin.readline(); "
            + "assert p.poll() is None; a.close(); print(p.wait())"
        let program = try Locwatch("exec python3 -c \"\(script)\" $LW \(source)", input: true)
        try await program.wait { $0.output == "read\n" || $0.hasEnded }
        try await RealTime.pass(.milliseconds(500), because: "a program that stays while its peer does has no event")
        program.type("\n")
        try await program.end()
        #expect(program.output == "read\n-\(SIGPIPE)\n", "\(program.errors)")
    }

    @Test(arguments: ["-j --pace max long.json", "record - long.json", "export csv long.json"])
    func `a second signal ends a program that waits for a blocked reader after the first one`(arguments: String)
        async throws
    {
        let folder = try Scratch()
        // 2.8 MB, much more than fits into a pipe.
        let walk = try String(contentsOfFile: Locwatch.fixture("walk"), encoding: .utf8)
        try folder.write(String(repeating: walk, count: 40), to: "long.json")
        let pipes = try ["p", "q"].map { try folder.unreadPipe($0) }
        let programs = try ["p", "q"].map { try Locwatch("exec $LW \(arguments) >\($0)", folder: folder.url) }
        for (pipe, program) in zip(pipes, programs) {
            try await program.wait { _ in pipe.byteCount > 60_000 }
        }
        for program in programs { program.signal(SIGINT) }
        try await RealTime.pass(.milliseconds(100), because: "a signal within 50 ms of the first one is the same one")
        programs[1].signal(SIGINT)
        for program in programs { #expect(try await program.end() == 128 + SIGINT) }
        #expect(programs[1].hasEnded(before: programs[0]), "the other one waits two seconds for its reader")
    }

    // MARK: Programs without work

    @Test func `a server without a free descriptor waits for one without using the processor`() async throws {
        let port = ReservedPort().number
        let server = try Locwatch("ulimit -n 48; exec $LW serve --port \(port) $FIXTURES/walk/session.json")
        try await server.wait { $0.errors.contains("serving") }
        /// The hundredths of a second of processor time that it has used.
        func ticks() -> Int {
            server.process.text("stat").split(separator: " ")[13...14].reduce(0) { $0 + (Int($1) ?? 0) }
        }
        var clients = try (0..<60).map { _ in try SocketClient(port) }
        let before = ticks()
        try await RealTime.pass(.seconds(2), because: "it is the time in which little must be computed")
        #expect(ticks() - before < 40, "of 200 in two seconds")
        clients.removeAll()
        #expect(try SocketClient(port).line()?.hasPrefix(#"{"class":"VERSION""#) == true)
        try await server.stop()
    }

    @Test func `after the program was stopped old positions are late, and only a new one is a fix`() async throws {
        let receiver = try SimulatedReceiver(.walk, settings: with(.init()) { $0.speedup = 4 })
        let program = try Locwatch("exec $LW -j serial:\(receiver.path)")
        try await program.wait { $0.output.contains(#""event":"location""#) }
        program.signal(SIGSTOP)
        let stopped = Date().formatted(.iso8601.year().month().day().time(includingFractionalSeconds: true)) + "Z"
        let reason = "a position is stale after three seconds and one of tolerance; one is to spare"
        try await RealTime.pass(.seconds(5), because: reason)
        let before = program.lines.count
        program.signal(SIGCONT)
        try await program.wait { $0.lines.dropFirst(before).contains { $0.contains(#""to":"found""#) } }
        let lines = program.lines.dropFirst(before)
        let stale = try #require(lines.firstIndex { $0.contains(#""reason":"silent""#) })
        let found = try #require(lines.firstIndex { $0.contains(#""to":"found""#) })
        let between = lines[stale..<found].filter { $0.contains(#""event":"location""#) }
        #expect(!between.isEmpty)
        #expect(between.allSatisfy { $0.contains(#""late":true"#) })
        // The program first prints the reports that it had read when it was stopped.
        for location in try Events.of("location", in: lines[..<stale].joined(separator: "\n")) {
            #expect(try #require(location["received"] as? String) <= stopped)
        }
        #expect(try await program.end(by: SIGINT) == 130)
    }
}
