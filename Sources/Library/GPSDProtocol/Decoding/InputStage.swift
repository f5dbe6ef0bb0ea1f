import Glibc
import LocationCore
import LocwatchPlatform
import LocwatchSupport

/// A step between an input and its reader: a running program that decompresses it, or a file that is followed.
///
/// The pipes hold little, so the memory does not depend on the length of the input. The program ends with the stage.
final class InputStage: DecodingStage {
    private struct Run {
        var child: ChildProcess?
        /// The end of the program after that of its output; one that does not end by itself is no failure.
        var end: ExpectedEnd?
        /// The error of a program that does not start.
        var failure: LocationError?
        var isEnding = false
    }

    let output: Int32
    private let feed: InputFeed
    private let feeder = Lock<NativeThread?>(nil)
    private let program: DecodingProgram?
    private let run = Lock(Run())
    /// The read end of the program's standard error.
    private let complaints: Int32

    /// The time in which a program ends after its output.
    private static let programLimit = Duration.seconds(10)

    /// Starts a thread that starts the program, and feeds it with `beginning` and then with what can be read from a descriptor.
    ///
    /// - Parameters:
    ///   - program: The program, or `nil` to pass the bytes on unchanged.
    ///   - source: The descriptor, which must stay open until `end()` has returned.
    ///   - follows: Whether to wait for more at the end of a file.
    ///   - isExcessive: The limit of the bytes.
    init(
        _ program: DecodingProgram?, beginning: [UInt8], source: Int32, follows: Bool,
        isExcessive: @escaping InputExcess = { _ in false }
    ) throws(LocationError) {
        self.program = program
        var ends = StagePipes()
        do throws(LocationError) {
            let path = try program?.installedPath()
            let (result, errors) = (try ends.open(), try ends.open())
            let input = program == nil ? nil : try ends.open()
            for end in [result.readEnd, errors.readEnd] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
            (output, complaints) = (result.readEnd, errors.readEnd)
            do throws(SystemFailure) {
                feed = try InputFeed(
                    source, to: input?.writeEnd ?? result.writeEnd, beginning: beginning, follows: follows,
                    isExcessive: isExcessive)
                let thread = try NativeThread { [self] in
                    var isRunning = true
                    if let program, let path, let input {
                        isRunning = start { () throws(LocationError) in
                            try program.start(
                                path, input: input.readEnd, output: result.writeEnd, error: errors.writeEnd)
                        }
                        for end in [input.readEnd, result.writeEnd] { close(end) }
                        if !isRunning { close(input.writeEnd) }
                    }
                    close(errors.writeEnd)
                    if isRunning { feed.run() }
                }
                feeder.withLock { $0 = thread }
            } catch {
                throw LocationError.system(error)
            }
        } catch {
            ends.closeAll()
            throw error
        }
    }

    /// Starts the program unless the stage ends; returns whether it runs.
    private func start(_ launch: () throws(LocationError) -> ChildProcess) -> Bool {
        do throws(LocationError) {
            let child = try launch()
            let isEnding = run.withLock { run in
                if !run.isEnding {
                    run.child = child
                    run.end = ExpectedEnd(within: Self.programLimit) { child.wait(for: $0) }
                }
                return run.isEnding
            }
            if isEnding { child.end() }
            return !isEnding
        } catch {
            run.withLock { $0.failure = error }
            return false
        }
    }

    /// The program that runs, if any.
    var child: ChildProcess? { run.withLock { $0.child } }

    var bytesRead: Int { feed.status.bytes }
    var hasGivenUp: Bool { feed.status.isExcessive }

    func takeNotices() -> [Notice] { [] }

    var pendingEnd: Int32? {
        let status = feed.status
        return status.isExcessive || status.failure != nil ? nil : run.withLock { $0.end }?.descriptor
    }

    func failure(named name: String) -> LocationError? {
        let (status, run) = (feed.status, run.withLock { $0 })
        if let failure = run.failure { return failure }
        if status.isExcessive { return InputExpansion.error(named: name) }
        if let code = status.failure { return .unreadable(name, code) }
        guard let program, let end = run.end else { return nil }
        switch end.ending {
        case .exited(0), .unknown, nil: return nil
        // gzip warns in this way about bytes after the end, such as the padding of a tape.
        case .exited(2) where program == .gzip: return nil
        case .exited(let code):
            return .damaged(path: name, cause: "\(program.name): \(complaint ?? "it ended with code \(code)")")
        case .signalled(let signal):
            // The pipe has more bytes than the program has read, but not many more.
            return .damaged(
                path: name,
                cause: "\(program.name) was ended by signal \(signal) within its first \(status.bytes) bytes")
        }
    }

    /// The line that the program has written to its standard error, without the names of itself and of its input.
    private var complaint: String? {
        var bytes: [UInt8] = []
        withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 1) { buffer in
            while bytes.count < 8192 {
                let count = read(complaints, buffer.baseAddress, buffer.count)
                guard count > 0 else { return }
                bytes += buffer[..<count]
            }
        }
        let lines = bytes.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        // After the cause, xz gives a wrong number: "1 MiB of memory is required. The limit is 100 MiB."
        guard let line = program == .xz ? lines.first : lines.last else { return nil }
        var text = String(decoding: line.prefix(200), as: UTF8.self)
        // xz begins with its path.
        if text.hasPrefix("/"), let end = text.firstIndex(of: " ") { text = String(text[text.index(after: end)...]) }
        let prefixes = ["\(program?.name ?? ""): ", "stdin: ", "(stdin): ", "/*stdin*\\ : ", ": "]
        for name in prefixes where text.hasPrefix(name) {
            text = String(text.dropFirst(name.count))
        }
        return text
    }

    func end() {
        // Closed first, so that a thread that writes into a full pipe is woken.
        close(output)
        feed.end()
        let child = run.withLock { run in
            run.isEnding = true
            return run.child
        }
        child?.end()
        feeder.withLock { $0 }?.join()
        close(complaints)
    }
}

/// The open ends of the pipes of a stage while it is made.
private struct StagePipes {
    private var ends: [Int32] = []

    mutating func open() throws(LocationError) -> PrivatePipe {
        do throws(SystemFailure) {
            let pipe = try PrivatePipe()
            ends += [pipe.readEnd, pipe.writeEnd]
            return pipe
        } catch {
            throw LocationError.system(error)
        }
    }

    mutating func closeAll() {
        for end in ends { Glibc.close(end) }
        ends = []
    }
}
