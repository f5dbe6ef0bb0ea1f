import Foundation
import GPSDSimulation
import TestSupport
import Testing

/// The end of the program by a signal or a closed pipe, and the resources left behind.
@Suite(.serialized, .withFew) struct SignalTests {
    private let folder: Scratch

    init() throws { folder = try Scratch() }

    /// The names of the folders of simulated receivers below the folder for temporary files.
    private var receivers: [String] { folder.names.filter { $0.hasPrefix("locwatch-") } }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func `a signal ends the session with an event and then the program`(signal: Int32) async throws {
        let program = try Locwatch("exec $LW -j sim:walk", environment: ["TMPDIR": folder.url.path])
        try await program.wait { $0.output.contains(#""event":"location""#) }
        #expect(program.output.contains(#""device":"sim:walk""#) && !program.output.contains("/receiver"))
        #expect(receivers.count == 1, "the receiver is where TMPDIR says")
        let daemon = try #require(program.daemon)
        program.signal(signal)
        #expect(try await program.end(.seconds(9)) == 128 + signal)
        #expect(program.lines.last?.contains(#""event":"end""#) == true)
        #expect(program.lines.last?.contains(#""reason":"interrupted""#) == true)
        #expect(program.errors == "")
        #expect(receivers == [], "the folder of the simulated receiver is removed")
        #expect(!RunningProcess(daemon).isRunning, "its daemon has ended")
    }

    @Test(arguments: [("http", SIGINT), ("mqtt", SIGTERM)])
    func `a signal ends doctor while a server does not answer`(scheme: String, signal: Int32) async throws {
        let server = LoopbackPeer()
        server.listen()
        let program = try Locwatch("exec $LW doctor -t 10m \(scheme)://127.0.0.1:\(server.port)/fleet/boat")
        try await program.wait { $0.output.contains("checking") }
        #expect(try await program.end(by: signal) == 128 + signal)
        withExtendedLifetime(server) {}
    }

    @Test(arguments: [
        ("stats", SIGINT), ("watch", SIGHUP), ("export gpx", SIGINT),
        ("publish udp://127.0.0.1:9 --queue memory", SIGHUP),
    ])
    func `a signal ends a command whose decompressor gives no byte`(command: String, signal: Int32) async throws {
        let program = "int main(void) { signal(SIGTERM, SIG_IGN); for (;;) pause(); }"
        try folder.compile("#include <signal.h>\n#include <unistd.h>\n\(program)", to: "gzip")
        _ = try folder.write([0x1F, 0x8B, 8] + [UInt8](repeating: 0, count: 99), to: "drive.json.gz")
        let line = "PATH=\(folder.url.path):$PATH; exec $LW \(command) drive.json.gz"
        let locwatch = try Locwatch(line, folder: folder.url)
        try await locwatch.wait { $0.child(named: "gzip") != nil }
        locwatch.signal(signal)
        // The beginning of the file is looked at for 10 s.
        #expect(try await locwatch.end(.seconds(9)) == 128 + signal)
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `a signal ends serve while it reads its recording`(signal: Int32) async throws {
        try #require(mkfifo(folder.path("pipe"), 0o600) == 0)
        let writer = open(folder.path("pipe"), O_RDWR)
        defer { close(writer) }
        let program = try Locwatch("exec $LW serve --port 0 \(folder.path("pipe"))")
        try await program.wait { $0.process.descriptors.contains(folder.path("pipe")) }
        program.signal(signal)
        #expect(try await program.end(.seconds(9)) == 128 + signal)
    }

    @Test(arguments: ["export gpx -o", "record --force"])
    func `a signal ends a program that waits for the reader of a pipe`(command: String) async throws {
        try #require(mkfifo(folder.path("p"), 0o600) == 0)
        let program = try Locwatch("exec $LW \(command) p \(Locwatch.fixture("walk"))", folder: folder.url)
        try await program.wait { ["wait_for_partner", "fifo_open"].contains($0.process.text("wchan")) }
        #expect(try await program.end(by: SIGINT) == 128 + SIGINT)
        #expect(program.errors == "")
    }

    /// Whether the metrics are those of a session that lasts, if there are any.
    private var isUp: Bool? {
        let metrics = (try? folder.text("m.prom")) ?? ""
        return metrics.contains("locwatch_up 1\n") ? true : metrics.contains("locwatch_up 0\n") ? false : nil
    }

    @Test(arguments: [("watch", SIGINT), ("web", SIGTERM), ("publish --queue memory udp://127.0.0.1:1", SIGHUP)])
    func `a signal leaves metrics of an ended session`(command: String, signal: Int32) async throws {
        let served = try await ServedSession(Locwatch.fixture("walk"), pace: "1x")
        let listening = command == "web" ? "--port \(ReservedPort().number)" : ""
        let program = try Locwatch(
            "exec $LW \(command) \(listening) --metrics-file \(folder.path("m.prom")) \(served.source)")
        try await program.wait { _ in isUp == true }
        program.signal(signal)
        #expect(try await program.end() == 128 + signal)
        #expect(isUp == false)
    }

    @Test func `a second signal, while a target is away, leaves metrics of an ended session too`() async throws {
        let served = try await ServedSession(Locwatch.fixture("walk"), pace: "1x")
        let program = try Locwatch(
            "exec $LW publish --queue memory mqtt://127.0.0.1:1/owntracks/anna/boat --metrics-file "
                + "\(folder.path("m.prom")) \(served.source)")
        try await program.wait { _ in isUp == true }
        program.signal(SIGINT)
        try await program.wait { _ in isUp == false }
        // It still tries to send what is queued.
        program.signal(SIGINT)
        #expect(try await program.end(.seconds(6)) == 128 + SIGINT)
        #expect(isUp == false)
    }

    @Test(arguments: ["export csv", "record -"])
    func `a command without a position to write ends when the reader of its socket is gone`(
        command: String
    ) async throws {
        let script =
            "import socket,subprocess,sys; a,b=socket.socketpair(); "
            + "p=subprocess.Popen(sys.argv[1:],stdin=subprocess.DEVNULL,stdout=b,stderr=subprocess.DEVNULL); "
            + "b.close(); sys.stdin.readline(); a.close(); print(p.wait())"
        var settings = StandInGPSD.Settings()
        settings.advance = .byHand
        let daemon = try StandInGPSD(StandInRecording(RecordedDrive.text(points: 1)), settings: settings)
        let program = try Locwatch(
            "exec python3 -c \"\(script)\" $LW -q \(command) localhost:\(daemon.port)", input: true)
        #expect(await daemon.wait(within: .seconds(300)) { $0.watchers == 1 })
        program.type("\n")
        try await program.end()
        #expect(program.output == "-\(SIGPIPE)\n", "\(program.errors)")
    }

    @Test(arguments: ["localhost:1", "sim:indoors", "-", "$FIXTURES/walk/session.json"])
    func `a signal ends a session in every phase`(source: String) async throws {
        let program = try Locwatch("exec $LW -j \(source)", input: true)
        try await program.wait { !$0.lines.isEmpty }
        program.signal(SIGTERM)
        #expect(try await program.end() == 128 + SIGTERM)
        #expect(program.lines.last?.contains(#""reason":"interrupted""#) == true, "\(program.output)")
        program.endInput()
    }

    @Test func `once removes its folder and ends its daemon`() async throws {
        let program = try Locwatch("exec $LW once -j sim:walk", environment: ["TMPDIR": folder.url.path])
        #expect(try await program.end() == 0)
        #expect(program.output.contains(#""device":"sim:walk""#))
        #expect(receivers == [])
        #expect(program.daemon == nil)
    }

    @Test func `a signal ends a live session with a blocked reader`() async throws {
        let pipe = try folder.unreadPipe("p")
        let served = try await ServedSession(Locwatch.fixture("walk"), pace: "1000x")
        let program = try Locwatch("exec $LW -j --sky \(served.source) >p", folder: folder.url)
        // A line that does not fit into the rest of a page of the pipe begins another one.
        try await program.wait { _ in pipe.byteCount > 40_000 }
        try await program.settled(isBusy: true) { pipe.byteCount }
        program.signal(SIGHUP)
        #expect(try await program.end() == 128 + SIGHUP)
    }

    @Test(arguments: [
        "-j localhost:1", "-j sim:indoors", "-j sim:walk", "stats -j sim:walk", "devices --follow -j sim:walk",
        "time -j sim:walk",
    ])
    func `a live command whose reader leaves after its first line ends silently by SIGPIPE`(line: String) async throws {
        let run = try await Locwatch.run("$LW \(line) | head -1; echo ${PIPESTATUS[0]}")
        #expect(run.output.hasSuffix("\n141\n"), "\(run.output)")
        #expect(run.errors == "")
    }

    @Test(arguments: [
        "-j --pace max $FIXTURES/walk/session.json", "once $FIXTURES/walk/session.json",
        "record - $FIXTURES/walk/session.json", "export gpx $FIXTURES/walk/session.json",
        "stats $FIXTURES/walk/session.json", "devices $FIXTURES/walk/session.json", "doctor localhost:1", "help",
        "completions fish", "version",
    ])
    func `every command whose reader has closed the pipe ends silently by SIGPIPE`(arguments: String) async throws {
        // The other end of the pipe is closed before the program starts.
        let script = "import os,sys; r,w=os.pipe(); os.dup2(w,1); os.close(r); os.execv(sys.argv[1],sys.argv[1:])"
        let run = try await Locwatch.run("exec python3 -c '\(script)' $LW \(arguments)")
        #expect(run.code == 128 + SIGPIPE)
        #expect(run.errors == "")
    }
}
