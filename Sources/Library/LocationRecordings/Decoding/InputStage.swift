import Glibc
import LocationCore
import LocwatchPlatform

/// A step between an input and its reader: a running program that decompresses it, or a file that is followed.
///
/// The pipes hold little, so the memory does not depend on the length of the input. The program ends with the stage.
final class InputStage: DecodingStage {
    let output: Int32
    private let feed: InputFeed
    private let feeder: NativeThread
    private let program: DecodingProgram?
    private let child: ChildProcess?
    /// The read end of the program's standard error.
    private let complaints: Int32

    /// Starts the program, and feeds it with `beginning` and then with what can be read from a descriptor.
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
            let result = try ends.open()
            let errors = try ends.open()
            var target = result.writeEnd
            if let program {
                let input = try ends.open()
                child = try program.start(input: input.readEnd, output: result.writeEnd, error: errors.writeEnd)
                ends.close(input.readEnd)
                ends.close(result.writeEnd)
                target = input.writeEnd
            } else {
                child = nil
            }
            ends.close(errors.writeEnd)
            for end in [result.readEnd, errors.readEnd] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
            (output, complaints) = (result.readEnd, errors.readEnd)
            do throws(SystemFailure) {
                let feed = try InputFeed(
                    source, to: target, beginning: beginning, follows: follows, isExcessive: isExcessive)
                self.feed = feed
                feeder = try NativeThread { feed.run() }
            } catch {
                throw LocationError.system(error)
            }
        } catch {
            ends.closeAll()
            throw error
        }
    }

    var bytesRead: Int { feed.status.bytes }
    var hasGivenUp: Bool { feed.status.isExcessive }

    func takeNotices() -> [Notice] { [] }

    func failure(named name: String) -> LocationError? {
        let status = feed.status
        if status.isExcessive { return InputExpansion.error(named: name) }
        if let code = status.failure { return .unreadable(name, code) }
        guard let program, let child else { return nil }
        let deadline = ContinuousClock.now + .seconds(10)
        var ending: ChildProcess.Ending?
        while ending == nil, CaughtSignals.first == nil, .now < deadline {
            ending = child.wait(for: .milliseconds(100))
        }
        switch ending {
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
        child?.end()
        feeder.join()
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

    mutating func close(_ end: Int32) {
        ends.removeAll { $0 == end }
        Glibc.close(end)
    }

    mutating func closeAll() {
        for end in ends { Glibc.close(end) }
        ends = []
    }
}
