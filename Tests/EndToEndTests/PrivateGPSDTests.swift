import Foundation
import GPSDSimulation
import Glibc
import LocationCore
import LocationRecordings
import LocwatchPlatform
import LocwatchSupport
import TestSupport
import Testing

@testable import LocationGPSD

@Suite(.serialized, .alone) struct PrivateGPSDTests {
    /// Returns a line without a sender, like a receiver without power; gpsd probes it all the same.
    static func silentLine() throws -> PseudoTerminal { try PseudoTerminal(anyone: true) }

    static func isRunning(_ id: Int32) -> Bool {
        // A zombie that has not been reaped yet counts as ended.
        guard let status = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8) else { return false }
        return status.split(separator: ")").last?.hasPrefix(" Z") == false
    }

    /// Returns whether System V shared memory created by a process exists.
    private static func hasSharedMemory(of process: Int32) throws -> Bool {
        let table = try String(contentsOfFile: "/proc/sysvipc/shm", encoding: .utf8)
        // The fifth column is the id of the process that created the segment.
        return table.split(separator: "\n").dropFirst().contains { line in
            let columns = line.split(separator: " ")
            return columns.count > 4 && columns[4] == "\(process)"
        }
    }

    /// Returns the first report that `find` accepts, out of what the daemon sends to a watching client.
    private static func first<Answer>(
        from daemon: PrivateGPSD, within limit: Duration = .seconds(15), _ find: (GPSDReport) -> Answer?
    ) throws -> Answer? {
        let session = try GPSDConnection(daemon.endpoint)
        try session.send(#"?WATCH={"enable":true,"json":true};"#)
        var lines = LineReader()
        var decoder = ReportDecoder()
        var answer: Answer?
        let deadline = ContinuousClock.now + limit
        while answer == nil, ContinuousClock.now < deadline {
            var watched = pollfd(fd: session.descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&watched, 1, 1000) > 0 else { continue }
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let count = recv(session.descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            buffer[..<count].withUnsafeBytes { bytes in
                lines.feed(bytes) { line in
                    guard case .line(let line) = line, let report = try? decoder.decode(line) else { return }
                    answer = answer ?? find(report)
                }
            }
        }
        return answer
    }

    @Test(.enabled(if: ConfinementParts.available.contains(.calls), "this kernel has no seccomp"))
    func `gpsd makes no system call that its confinement does not mention`() throws {
        let receiver = try SimulatedReceiver(.walk)
        for isReadOnly in [true, false] {
            var settings = PrivateGPSD.Settings()
            settings.trapsUnlistedCalls = true
            settings.isReadOnly = isReadOnly
            let daemon = try PrivateGPSD(device: receiver.path, settings: settings)
            #expect(try Self.first(from: daemon) { if case .tpv(let report) = $0 { report.lat } else { nil } } != nil)
            #expect(daemon.isRunning)
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give its rights up"))
    func `a private gpsd gives up root's rights under its confinement`() throws {
        let line = try Self.silentLine()
        let daemon = try PrivateGPSD(device: line.path)
        let status = try String(contentsOfFile: "/proc/\(try #require(daemon.processID))/status", encoding: .utf8)
        #expect(status.contains("NoNewPrivs:\t1") == !ConfinementParts.available.isEmpty)
        #expect(!status.contains("Uid:\t0\t"), "\(status)")
    }

    @Test func `an ended private gpsd leaves no process and no endpoint`() throws {
        let line = try Self.silentLine()
        let daemon = try PrivateGPSD(device: line.path)
        let process = try #require(daemon.processID)
        #expect(Self.isRunning(process))
        daemon.end()
        #expect(!Self.isRunning(process))
        #expect(!daemon.isRunning)
        #expect(throws: LibgpsError.self) { _ = try GPSDConnection(daemon.endpoint) }
    }

    @Test func `a private gpsd listens at no port`() throws {
        let line = try Self.silentLine()
        let daemon = try PrivateGPSD(device: line.path)
        #expect(daemon.port == nil)
        #expect(!daemon.isShared)
        let descriptors = "/proc/\(try #require(daemon.processID))/fd"
        let sockets = try FileManager.default.contentsOfDirectory(atPath: descriptors).compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "\(descriptors)/\($0)")
        }
        let tables = try ["tcp", "tcp6"].map { try String(contentsOfFile: "/proc/net/\($0)", encoding: .utf8) }
        for socket in sockets where socket.hasPrefix("socket:[") {
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
        return child.wait(for: .seconds(20)) == .exited(0)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can become another user"))
    func `another user cannot connect`() throws {
        let line = try Self.silentLine()
        let daemon = try PrivateGPSD(device: line.path)
        #expect(try Self.connects(to: daemon, asNobody: false), "the attempt itself works")
        #expect(try !Self.connects(to: daemon, asNobody: true))
    }

    @Test func `a gpsd that does not accept sockets is reached at a port`() throws {
        let receiver = try SimulatedReceiver(.walk)
        let program = try GPSDScript("unset LISTEN_FDS LISTEN_PID; exec /usr/sbin/gpsd \"$@\"")
        var settings = PrivateGPSD.Settings()
        settings.program = program.path
        settings.confinedParts = []
        let daemon = try PrivateGPSD(device: receiver.path, settings: settings)
        #expect(daemon.isShared)
        #expect(daemon.endpoint == GPSDEndpoint(host: "127.0.0.1", port: "\(try #require(daemon.port))"))
        #expect(try Self.first(from: daemon) { if case .tpv(let report) = $0 { report.lat } else { nil } } != nil)
    }

    @Test func `a private gpsd ends with its owner`() throws {
        let line = try Self.silentLine()
        let process: Int32
        do {
            let daemon = try PrivateGPSD(device: line.path)
            process = try #require(daemon.processID)
        }
        #expect(!Self.isRunning(process))
    }

    @Test(arguments: [SIGKILL, SIGTERM, SIGHUP])
    func `a private gpsd ends with the program that started it, and makes no shared memory, which all users could read`(
        signal: Int32
    ) throws {
        let line = try Self.silentLine()
        let pipe = Pipe()
        let parent = try ChildProcess(
            path: RunningProgram.development.path, arguments: ["hold-private", line.path], environment: [:],
            output: pipe.fileHandleForWriting.fileDescriptor)
        try pipe.fileHandleForWriting.close()
        var text = Data()
        while text.last != UInt8(ascii: "\n"), let more = try pipe.fileHandleForReading.read(upToCount: 1),
            !more.isEmpty
        {
            text += more
        }
        let words = String(decoding: text, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        let daemon = try #require(words.first.flatMap { Int32($0) })
        #expect(Self.isRunning(daemon))
        #expect(try !Self.hasSharedMemory(of: daemon))
        parent.send(signal)
        #expect(parent.wait(for: .seconds(30)) == .signalled(signal))
        let deadline = ContinuousClock.now + .seconds(20)
        while Self.isRunning(daemon), ContinuousClock.now < deadline { usleep(10_000) }
        #expect(!Self.isRunning(daemon))
    }

    /// The program is killed some milliseconds after it alone runs, or gpsd too: while it starts gpsd, while gpsd probes the
    /// line, and when it answers.
    @Test(arguments: [(1, 0), (2, 0), (2, 40), (2, 200), (2, 600), (2, 1200)])
    func `a program that is killed while it starts a daemon leaves nothing behind`(count: Int, milliseconds: Int) throws
    {
        let line = try Self.silentLine()
        let parent = try ChildProcess(
            path: RunningProgram.development.path, arguments: ["hold-private", line.path], environment: [:])
        let start = ContinuousClock.now + .seconds(20)
        while Self.processes(naming: line.path).count < count, ContinuousClock.now < start { usleep(1000) }
        usleep(UInt32(milliseconds * 1000))
        let started = Self.processes(naming: line.path)
        #expect(started.count >= count)
        parent.send(SIGKILL)
        #expect(parent.wait(for: .seconds(30)) == .signalled(SIGKILL))
        let deadline = ContinuousClock.now + .seconds(20)
        while !Self.processes(naming: line.path).isEmpty, ContinuousClock.now < deadline { usleep(10_000) }
        #expect(Self.processes(naming: line.path) == [])
        for process in started { #expect(try !Self.hasSharedMemory(of: process)) }
    }

    /// Returns the running processes with a word among their arguments.
    private static func processes(naming word: String) -> [Int32] {
        RunningProgram.all.filter { $0.words.contains(word) && isRunning($0.processID) }.map(\.processID)
    }

    @Test func `two private daemons started at once are separate`() throws {
        let lines = [try SimulatedReceiver(.walk), try SimulatedReceiver(.walk)]
        let starts = try lines.map { try GPSDStart(.line($0.path), PrivateGPSD.Settings()) }
        let daemons = try starts.map { start in
            start.done.wait()
            return try #require(try start.outcome())
        }
        #expect(daemons[0].endpoint != daemons[1].endpoint)
        for (daemon, line) in zip(daemons, lines) {
            let devices = try Self.first(from: daemon) { report -> [String?]? in
                if case .devices(let report) = report { report.devices.map(\.path) } else { nil }
            }
            #expect(devices == [line.path])
        }
    }

    @Test(arguments: [false, true]) func `a port used by another program is skipped`(speaks: Bool) throws {
        let line = try Self.silentLine()
        // One that sends nothing, and one that is a gpsd with another device.
        let silent = LoopbackPeer()
        silent.listen()
        let otherLine = try Self.silentLine()
        var settings = PrivateGPSD.Settings()
        settings.isShared = true
        let other = try PrivateGPSD(device: otherLine.path, settings: settings)
        let taken = speaks ? try #require(other.port) : silent.port
        let asked = Lock(0)
        let daemon = try PrivateGPSD(device: line.path, settings: settings) { () throws(SystemFailure) in
            let isFirst = asked.withLock { asked in
                asked += 1
                return asked == 1
            }
            return isFirst ? taken : try LoopbackPort.free()
        }
        #expect(asked.withLock { $0 } == 2)
        #expect(daemon.port != taken)
        #expect(daemon.isRunning)
    }

    @Test func `a private gpsd writes to the receiver only when allowed`() throws {
        let receiver = try SimulatedReceiver(.walk)
        var settings = PrivateGPSD.Settings()
        settings.isReadOnly = false
        let daemon = try PrivateGPSD(device: receiver.path, settings: settings)
        let driver = try Self.first(from: daemon) { report -> String? in
            if case .tpv = report { "" } else { nil }
        }
        #expect(driver != nil)
        #expect(receiver.progress.bytesReceived > 0)
    }
}
