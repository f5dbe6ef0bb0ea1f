import Foundation
import LocwatchPlatform
import LocwatchSupport
import TestSupport
import Testing

/// A shell line that runs the built program as `$LW`.
final class Locwatch: Sendable {
    /// The destination of standard output and standard error.
    enum Screen: Hashable, Sendable {
        case pipes
        /// A terminal with this number of columns for both, and for standard input if the test writes to it.
        case terminal(columns: UInt16)
    }

    /// The output and the status so far.
    struct State: Sendable {
        var output: [UInt8] = []
        var errors: [UInt8] = []
        /// The status from `waitpid`, or `nil` while the process runs.
        var status: Int32?
        /// The time at which the process was seen to have ended.
        var ended: ContinuousClock.Instant?
    }

    static let package = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
    /// The program next to the bundle of these tests.
    static let program =
        Bundle.allBundles.map { $0.bundleURL.deletingLastPathComponent().appending(path: "locwatch").path }
        .first { access($0, X_OK) == 0 }
        ?? URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "locwatch").path

    /// The folders of programs, with that of the built program first.
    static let path =
        URL(filePath: program).deletingLastPathComponent().path + ":"
        + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")

    /// Returns the path of a recorded session in Fixtures/.
    static func fixture(_ name: String) -> String { SampleRecording.fixture(name) }

    /// Words of bash that close all descriptors but those of the standard streams.
    ///
    /// What other tests have open must not take the room of a program with a limit of descriptors, nor stay open in it.
    static let closing = #"for d in /proc/$$/fd/*; do d=${d##*/}; ((d < 3)) || eval "exec $d>&-"; done"#

    let processID: pid_t
    /// Whether a hostile library is loaded, whose system calls are refused.
    private let isAttacked: Bool
    private let state: Lock<State>
    private let input: Int32

    /// Runs `exec line` if the line is one command, so that the process id is that of the program.
    ///
    /// - Parameter input: Whether standard input is a pipe or a terminal that the test writes to; otherwise it is
    ///   empty.
    init(
        _ line: String, screen: Screen = .pipes, environment: [String: String] = [:], folder: URL = package,
        input: Bool = false
    ) throws {
        let streams = try Streams(screen, input: input)
        let (inner, out, err) = (streams.inner, streams.out, streams.err)
        self.input = inner[1]
        var variables = ProcessInfo.processInfo.environment.filter { ["PATH", "HOME", "TMPDIR"].contains($0.key) }
        variables["TERM"] = "xterm"
        variables["TZ"] = "UTC"
        // Limit the wait for a name server that does not answer.
        variables["RES_OPTIONS"] = "timeout:1 attempts:1"
        variables["LW"] = Locwatch.program
        variables["FIXTURES"] = SampleRecording.fixtures
        variables.merge(environment) { $1 }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_adddup2(&actions, inner[0], 0)
        posix_spawn_file_actions_adddup2(&actions, out[1], 1)
        posix_spawn_file_actions_adddup2(&actions, err[1], 2)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        var signals = sigset_t()
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        posix_spawnattr_setflags(
            &attributes,
            Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
        var process = pid_t()
        var words: [UnsafeMutablePointer<CChar>?] =
            ["bash", "-c", "\(Self.closing); cd '\(folder.path)' || exit; \(line)"]
            .map { $0.withCString { strdup($0) } } + [nil]
        var pairs: [UnsafeMutablePointer<CChar>?] =
            variables.map { "\($0.key)=\($0.value)".withCString { strdup($0) } } + [nil]
        let failure = posix_spawnp(&process, "bash", &actions, &attributes, &words, &pairs)
        for word in words + pairs { free(word) }
        for descriptor in [inner[0], out[1], err[1]] { close(descriptor) }
        guard failure == 0 else { throw SystemFailure("start bash", code: failure) }
        processID = process
        isAttacked = line.contains("LD_PRELOAD") || line.contains("LD_LIBRARY_PATH")
        state = Lock(State())
        let descriptors = [out[0], err[0]]
        try NativeThread.start { self.gather(descriptors) }
    }

    private func gather(_ descriptors: [Int32]) {
        var open = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while open.contains(where: { $0.fd >= 0 }) {
            guard poll(&open, nfds_t(open.count), -1) > 0 else { continue }
            for index in open.indices where open[index].fd >= 0 && open[index].revents != 0 {
                let count = read(open[index].fd, &chunk, chunk.count)
                if count > 0 {
                    state.withLock { state in
                        if index == 0 { state.output += chunk[..<count] } else { state.errors += chunk[..<count] }
                    }
                } else if count == 0 || errno != EINTR {
                    close(open[index].fd)
                    open[index].fd = -1
                }
            }
        }
        var status: Int32 = 0
        while waitpid(processID, &status, 0) < 0, errno == EINTR {}
        state.withLock { ($0.status, $0.ended) = (status, .now) }
    }

    /// Writes to the program's standard input.
    func type(_ text: String) {
        _ = Array(text.utf8).withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
    }

    /// Closes the program's standard input.
    func endInput() { close(input) }

    func signal(_ number: Int32) { kill(processID, number) }

    /// Presses Ctrl-C, which reaches all programs of the line.
    func interrupt() { kill(-processID, SIGINT) }

    var output: String { String(decoding: state.withLock { $0.output }, as: UTF8.self) }
    var errors: String { String(decoding: state.withLock { $0.errors }, as: UTF8.self) }
    /// The number of bytes that have arrived on both streams.
    var printedBytes: Int { state.withLock { $0.output.count + $0.errors.count } }
    var lines: [String] { output.split(whereSeparator: \.isNewline).map(String.init) }

    /// Whether the line has ended, and all that it printed has arrived.
    var hasEnded: Bool { state.withLock { $0.status } != nil }

    /// Returns whether the line has ended before another one, which has ended too.
    func hasEnded(before other: Locwatch) -> Bool {
        guard let ended = state.withLock({ $0.ended }), let last = other.state.withLock({ $0.ended }) else {
            return false
        }
        return ended < last
    }

    /// Waits until a condition holds, and fails the test when the limit has passed.
    func wait(_ limit: Duration = .seconds(300), until isSo: (Locwatch) -> Bool) async throws {
        guard try await Self.holds(within: limit, { isSo(self) }) else {
            // With the other programs of its line.
            kill(-processID, SIGKILL)
            throw Late(output: output, errors: errors)
        }
    }

    /// Waits in pauses until a condition holds; returns false when the pauses have reached a limit.
    ///
    /// The time that a busy machine takes from the test, and from the program that it waits for, does not count.
    static func holds(
        within limit: Duration, pause: Duration = .milliseconds(20), _ isSo: () throws -> Bool
    ) async throws -> Bool {
        var waited = Duration.zero
        while try !isSo() {
            guard waited < limit else { return false }
            try await Task.sleep(for: pause)
            waited += pause
        }
        return true
    }

    /// Waits until a value of the program has stopped changing, and the program waits too; returns the value.
    ///
    /// - Parameter isBusy: Whether the program may go on with other work.
    @discardableResult
    func settled<Value: Equatable>(isBusy: Bool = false, _ value: () throws -> Value) async throws -> Value {
        var (before, latest): (Value?, Value?)
        let isSettled = try await Self.holds(within: .seconds(120), pause: .milliseconds(400)) {
            (before, latest) = (latest, try value())
            return latest == before && (isBusy || process.status("State")?.hasPrefix("S") == true)
        }
        guard isSettled, let latest else { throw Late(output: output, errors: errors) }
        return latest
    }

    /// Waits for the end and returns the exit code, or 128 plus the signal as a shell does.
    @discardableResult func end(_ limit: Duration = .seconds(300)) async throws -> Int32 {
        try await wait(limit) { $0.hasEnded }
        let status = state.withLock { $0.status } ?? 0
        // A system call that the table of calls lacks, unless the test attacks the program.
        if !isAttacked { #expect(!errors.contains("has refused the system call"), "\(errors)") }
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + status & 0x7F
    }

    /// An error for output that did not arrive within the limit.
    struct Late: Error, CustomStringConvertible {
        let output: String
        let errors: String
        var description: String { "timed out; standard output so far:\n\(output)\nstandard error:\n\(errors)" }
    }

    /// Runs a line to its end.
    static func run(
        _ line: String, screen: Screen = .pipes, environment: [String: String] = [:], folder: URL = package
    ) async throws -> (code: Int32, output: String, errors: String) {
        let program = try Locwatch(line, screen: screen, environment: environment, folder: folder)
        let code = try await program.end()
        return (code, program.output, program.errors)
    }

    /// Starts a program that serves a session, and returns it with its port.
    static func serving(_ arguments: String) async throws -> (Locwatch, String) {
        let port = arguments.contains("--port") ? "" : "--port \(ReservedPort().number)"
        let server = try Locwatch("exec $LW serve \(port) \(arguments)")
        try await server.wait { $0.errors.contains("serving") }
        guard let port = server.errors.firstMatch(of: /localhost:(\d+)/)?.1 else {
            throw Late(output: server.output, errors: server.errors)
        }
        return (server, String(port))
    }

    /// Sends a signal, waits for the end and returns the exit code as `end` does.
    @discardableResult func end(by number: Int32) async throws -> Int32 {
        signal(number)
        return try await end()
    }

    /// Ends the program as an init system does.
    func stop() async throws { try await end(by: SIGTERM) }

    /// The program's process, if the line is one command.
    var process: RunningProcess { RunningProcess(processID) }

    /// The private gpsd of the program, a child of the process that guards it.
    var daemon: pid_t? { child(named: "gpsd") }

    /// Returns the process of a program that it has started.
    func child(named name: String) -> pid_t? {
        process.children.flatMap(\.children).first { $0.status("Name") == name }?.id
    }

    /// Both ends of the three standard streams; `inner` is standard input.
    private struct Streams {
        var inner: [Int32] = [-1, -1]
        var out: [Int32] = [-1, -1]
        var err: [Int32] = [-1, -1]

        init(_ screen: Screen, input: Bool) throws {
            switch screen {
            case .pipes:
                out = try Streams.pipe()
                err = try Streams.pipe()
            case .terminal(let columns):
                out[0] = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
                var (unlocked, number) = (Int32(0), Int32(0))
                var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
                guard ioctl(out[0], 0x4004_5431, &unlocked) == 0, ioctl(out[0], 0x8004_5430, &number) == 0,
                    ioctl(out[0], UInt(TIOCSWINSZ), &size) == 0
                else { throw SystemFailure("open a terminal", code: errno) }
                out[1] = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
                err[1] = fcntl(out[1], F_DUPFD_CLOEXEC, 3)
            }
            switch (input, screen) {
            case (false, _): inner[0] = open("/dev/null", O_RDONLY | O_CLOEXEC)
            case (true, .pipes): inner = try Streams.pipe()
            case (true, .terminal): inner = [out[1], out[0]].map { fcntl($0, F_DUPFD_CLOEXEC, 3) }
            }
        }

        private static func pipe() throws -> [Int32] {
            let pipe = try PrivatePipe()
            return [pipe.readEnd, pipe.writeEnd]
        }
    }
}

extension LoopbackPort {
    /// Returns whether no program listens at a TCP port of 127.0.0.1.
    static func isFree(_ port: UInt16) -> Bool { (try? connect(to: port)).map { close($0) } == nil }
}
