import Foundation
import GPSDSimulation
import LocationCore
import LocationTesting
import LocwatchPlatform
import TestSupport
import Testing

@testable import LocationGPSD

@Suite(.serialized, .withFew) struct PrivateGPSDTests {
    /// A line without a sender, like a receiver without power; gpsd probes it all the same.
    private let line: ReceiverTerminal
    private let folder: Scratch
    /// The shared memory before the test, of which a process that has ended can have had the number of a daemon.
    private let others: Set<String>

    init() throws { (line, folder, others) = (try ReceiverTerminal(), try Scratch(), try Self.sharedMemory()) }

    /// The numbers of the segments of System V shared memory, each with the process that created it.
    private static func sharedMemory() throws -> Set<String> {
        let table = try String(contentsOfFile: "/proc/sysvipc/shm", encoding: .utf8)
        let lines = table.split(separator: "\n").dropFirst().map { $0.split(separator: " ") }
        return Set(lines.map { "\($0[1]) \($0[4])" })
    }

    /// Waits until a client of a daemon has a position.
    private static func waitForPosition(from daemon: PrivateGPSD) async throws {
        let recorder = LocationRecorder(GPSDLocationSource(daemon.endpoint))
        try await recorder.wait(for: "a position", within: .seconds(90)) { !$0.locations.isEmpty }
    }

    @Test(.enabled(if: ConfinementParts.available.contains(.calls), "this kernel has no seccomp"))
    func `gpsd makes no system call that its confinement does not mention`() async throws {
        let receiver = try SimulatedReceiver(.walk)
        for isReadOnly in [true, false] {
            var settings = PrivateGPSD.Settings()
            settings.trapsUnlistedCalls = true
            settings.isReadOnly = isReadOnly
            let daemon = try PrivateGPSD(device: receiver.path, settings: settings)
            try await Self.waitForPosition(from: daemon)
            #expect(daemon.isRunning)
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give its rights up"))
    func `a private gpsd gives up root's rights under its confinement`() throws {
        let daemon = try PrivateGPSD(device: line.path)
        let process = RunningProcess(try #require(daemon.processID))
        #expect(process.status("NoNewPrivs") == "1")
        #expect(process.status("Uid")?.hasPrefix("0\t") == false)
    }

    @Test func `a private gpsd that is ended, or released, leaves no process and no endpoint`() async throws {
        var daemon: PrivateGPSD? = try PrivateGPSD(device: line.path)
        let (ended, endpoint) = (RunningProcess(try #require(daemon?.processID)), try #require(daemon?.endpoint))
        #expect(ended.isRunning)
        daemon?.end()
        #expect(!ended.isRunning && daemon?.isRunning == false)
        #expect(throws: LibgpsError.self) { _ = try GPSDConnection(endpoint) }
        daemon = try PrivateGPSD(device: line.path)
        let released = RunningProcess(try #require(daemon?.processID))
        daemon = nil
        try await eventually("the end", within: .seconds(60), { released.isRunning }, is: { !$0 })
    }

    @Test func `a private gpsd listens at no port`() throws {
        let daemon = try PrivateGPSD(device: line.path)
        #expect(daemon.port == nil)
        #expect(!daemon.isShared)
        let process = RunningProcess(try #require(daemon.processID))
        let sockets = process.descriptors.filter { $0.hasPrefix("socket:[") }
        #expect(!sockets.isEmpty)
        let tables = try ["tcp", "tcp6"].map { try String(contentsOfFile: "/proc/net/\($0)", encoding: .utf8) }
        for socket in sockets {
            let inode = " \(socket.dropFirst(8).dropLast()) "
            #expect(!tables.contains { $0.contains(inode) })
        }
    }

    /// Tries each descriptor of the owner and of the daemon as a path to the daemon's socket.
    private static func connects(to daemon: PrivateGPSD, asNobody: Bool) throws -> Bool {
        let script = """
            import socket, sys
            for process in sys.argv[1:]:
                for number in range(256):
                    client = socket.socket(socket.AF_UNIX)
                    try: client.connect(f"/proc/{process}/fd/{number}")
                    except OSError: continue
                    sys.exit(0)
            sys.exit(1)
            """
        let prefix = asNobody ? ["--reuid", "nobody", "--regid", "nogroup", "--clear-groups", "--"] : ["--"]
        let child = try ChildProcess(
            path: "/usr/bin/setpriv",
            arguments: prefix + ["/usr/bin/python3", "-c", script, "\(getpid())", "\(daemon.processID ?? 0)"],
            environment: ["PATH": "/usr/bin"])
        return child.wait(for: .seconds(60)) == .exited(0)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can become another user"))
    func `another user cannot connect`() throws {
        let daemon = try PrivateGPSD(device: line.path)
        #expect(try Self.connects(to: daemon, asNobody: false), "the attempt itself works")
        #expect(try !Self.connects(to: daemon, asNobody: true))
    }

    @Test func `a gpsd that does not accept sockets is reached at a port`() async throws {
        let receiver = try SimulatedReceiver(.walk)
        var settings = PrivateGPSD.Settings()
        settings.program = try folder.writeScript("unset LISTEN_FDS LISTEN_PID; exec /usr/sbin/gpsd \"$@\"", to: "gpsd")
        settings.confinedParts = []
        let daemon = try PrivateGPSD(device: receiver.path, settings: settings)
        #expect(daemon.isShared)
        #expect(daemon.endpoint == GPSDEndpoint(host: "127.0.0.1", port: "\(try #require(daemon.port))"))
        try await Self.waitForPosition(from: daemon)
    }

    @Test(arguments: [SIGKILL, SIGTERM, SIGHUP])
    func `a private gpsd ends with the program that started it, and makes no shared memory, which all users could read`(
        signal: Int32
    ) async throws {
        let output = try FileHandle(forWritingTo: folder.write("", to: "output"))
        let parent = try holder(output: output.fileDescriptor)
        let line = try await eventually(
            "its line", within: .seconds(60), { (try? folder.text("output")) ?? "" }, is: { $0.hasSuffix("\n") })
        let words = line.split(whereSeparator: \.isWhitespace)
        let daemon = RunningProcess(try #require(words.first.flatMap { Int32($0) }))
        #expect(daemon.isRunning)
        #expect(try !Self.sharedMemory().subtracting(others).contains { $0.hasSuffix(" \(daemon.id)") })
        parent.send(signal)
        #expect(parent.wait(for: .seconds(90)) == .signalled(signal))
        try await eventually("the end of the daemon", within: .seconds(60), { daemon.isRunning }, is: { !$0 })
    }

    /// Starts the program of this package for tests, which holds a private gpsd of the line.
    private func holder(output: Int32? = nil) throws -> ChildProcess {
        // It is in one folder with the test bundle.
        let folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        return try ChildProcess(
            path: folder.appending(path: "locwatch-dev").path, arguments: ["hold-private", line.path],
            environment: [:], output: output)
    }

    /// The running processes with the line among their arguments.
    private var users: [RunningProcess] { RunningProcess.all.filter { $0.words.contains(line.path) && $0.isRunning } }

    /// What has happened when the program is killed.
    enum Stage: CaseIterable {
        case programRuns, gpsdRuns, lineIsOpen, gpsdAnswers
    }

    /// Whether a start has come to a stage, or further.
    private func hasReached(_ stage: Stage) -> Bool {
        switch stage {
        case .programRuns: !users.isEmpty
        case .gpsdRuns: users.count > 1
        case .lineIsOpen: users.contains { $0.descriptors.contains(line.path) }
        case .gpsdAnswers: (try? folder.text("answer").hasSuffix("\n")) ?? false
        }
    }

    @Test(arguments: Stage.allCases)
    func `a program that is killed while it starts a daemon leaves nothing behind`(stage: Stage) async throws {
        let output = try FileHandle(forWritingTo: folder.write("", to: "answer"))
        let parent = try holder(output: output.fileDescriptor)
        try await eventually("\(stage)", within: .seconds(60), { hasReached(stage) }, is: { $0 })
        let started = users
        parent.send(SIGKILL)
        #expect(parent.wait(for: .seconds(90)) == .signalled(SIGKILL))
        try await eventually("no process", within: .seconds(60), { users }, is: { $0 == [] })
        let made = try Self.sharedMemory().subtracting(others)
        #expect(!made.contains { segment in started.contains { segment.hasSuffix(" \($0.id)") } })
    }

    @Test func `two private daemons started at once are separate`() async throws {
        let receivers = [try SimulatedReceiver(.walk), try SimulatedReceiver(.walk)]
        let starts = try receivers.map { try StartingGPSD(.line($0.path), PrivateGPSD.Settings()) }
        let daemons = try starts.map { start in
            start.done.wait()
            return try #require(try start.outcome())
        }
        #expect(daemons[0].endpoint != daemons[1].endpoint)
        for (daemon, receiver) in zip(daemons, receivers) {
            let recorder = LocationRecorder(GPSDLocationSource(daemon.endpoint))
            let recording = try await recorder.wait(for: "a position", within: .seconds(90)) { !$0.locations.isEmpty }
            #expect(Set(recording.events.compactMap(\.device)) == [receiver.path])
        }
    }

    @Test(arguments: [false, true]) func `a port used by another program is skipped`(speaks: Bool) throws {
        // One that sends nothing, and one that is a gpsd with another device.
        let silent = LoopbackPeer()
        silent.listen()
        let otherLine = try ReceiverTerminal()
        var settings = PrivateGPSD.Settings()
        settings.isShared = true
        settings.firstPort = ReservedPort().number
        let other = try PrivateGPSD(device: otherLine.path, settings: settings)
        #expect(other.port == settings.firstPort, "it is tried, and taken if it is free")
        let taken = speaks ? try #require(other.port) : silent.port
        settings.firstPort = taken
        let daemon = try PrivateGPSD(device: line.path, settings: settings)
        #expect(daemon.port != taken)
        #expect(daemon.isRunning)
    }
}
