import Glibc
package import LocationCore
package import LocwatchPlatform
import LocwatchSupport

/// An open recording: a file, a pipe, or standard input, whose bytes are decompressed and decoded as they need it.
///
/// Its first bytes decide about that. It delivers gpsd's JSON, or the bytes of a format that `InputReading.recognizer`
/// knows. Only one thread at a time may read.
package final class RecordingInput: Sendable {
    package let name: String
    let reading: InputReading
    let state: Lock<InputState>

    /// Opens a file, or standard input for `-`; see `init(file:)`.
    package convenience init(path: String, reading: InputReading = InputReading()) throws(LocationError) {
        if path == "-" {
            self.init(descriptor: STDIN_FILENO, name: "standard input", reading: reading)
        } else {
            try self.init(file: path, reading: reading)
        }
    }

    /// Opens the source of a recording, or returns `nil` for bytes in memory.
    convenience init?(_ source: RecordingSource, reading: InputReading) throws(LocationError) {
        switch source {
        case .bytes: return nil
        case .descriptor(let descriptor):
            self.init(descriptor: descriptor, name: source.name, reading: reading)
        case .path(let path): try self.init(file: path, reading: reading)
        }
    }

    /// Opens a file without waiting for the writer of a named pipe; wait or poll before reading.
    package init(file: String, reading: InputReading = InputReading()) throws(LocationError) {
        let descriptor = open(file, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        let code = errno
        name = file
        self.reading = reading
        state = Lock(InputState(source: descriptor, isOwned: true))
        guard descriptor >= 0 else { throw Self.unopened(file, code) }
        if sourceSize != nil { try beginFile(descriptor) }
    }

    /// Wraps an open descriptor, which stays open after `close()`.
    package init(descriptor: Int32, name: String, reading: InputReading = InputReading()) {
        self.name = name
        self.reading = reading
        state = Lock(InputState(source: descriptor, isOwned: false))
    }

    deinit { close() }

    /// The descriptor to poll for reading; a read can change it.
    package var descriptor: Int32 { state.withLock { $0.awaited ?? $0.output } }

    /// The size of a regular file that is read as it is, or `nil` for any other input.
    package var fileSize: Int? { state.withLock { $0.stages.isEmpty } ? sourceSize : nil }

    /// Whether the input comes from a pipe or a growing file, so that it may pause and its end is unknown.
    var isLive: Bool { reading.follows || sourceSize == nil }

    /// The number of bytes that were read from a file that is decompressed or decoded; `nil` for any other input.
    var decodedBytes: Int? { state.withLock { $0.stages.first?.bytesRead } }

    var sourceSize: Int? {
        var status = stat()
        guard fstat(state.withLock({ $0.source }), &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }

    /// Reads the available bytes, decompressed and decoded; returns 0 at the end, or `nil` if none have arrived yet, or if it is not
    /// known yet whether the end is a failure.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(LocationError) -> Int? {
        if let count = state.withLock({ $0.takePending(into: buffer) }) { return count }
        let isDecided = state.withLock { $0.beginning == nil }
        let part = UnsafeMutableRawBufferPointer(
            rebasing: buffer.prefix(isDecided ? buffer.count : InputState.undecidedPiece))
        guard let count = try readPiece(from: state.withLock { $0.output }, into: part) else { return nil }
        try expand(by: count)
        let piece = UnsafeRawBufferPointer(rebasing: buffer[..<count])
        if state.withLock({ $0.beginning != nil }) { return try examine(piece, into: buffer) }
        if count == 0 { return try end() }
        state.withLock { $0.hasResult = true }
        return count
    }

    /// Returns the notices about the bytes so far that were not returned before.
    func takeNotices() -> [Notice] { state.withLock { $0.stages.last }?.takeNotices() ?? [] }

    /// Counts the reports that were made of the input; throws if it has become too much.
    func count(reports: Int) throws(LocationError) { try expand(by: reports * InputExpansion.report) }

    private func expand(by bytes: Int) throws(LocationError) {
        let isExceeded = state.withLock { state in
            guard let source = state.stages.first?.bytesRead else { return false }
            state.expansion += bytes
            return reading.expansion.isExceeded(by: state.expansion, from: source)
        }
        if isExceeded { throw InputExpansion.error(named: name) }
    }

    private func readPiece(
        from descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer
    ) throws(LocationError) -> Int? {
        while true {
            let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            let code = errno
            if count >= 0 { return count }
            if code == EAGAIN { return nil }
            if code != EINTR { throw .unreadable(name, code) }
        }
    }

    /// Reads all bytes up to the end, or throws when `stop` happens; those of another format become lines of gpsd's JSON.
    ///
    /// - Parameter expandedLimit: The number of bytes that a compressed input, a log or a track may become.
    package func contents(expandedLimit: Int = .max, until stop: Event? = nil) throws(LocationError) -> [UInt8] {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 17, alignment: 1)
        defer { buffer.deallocate() }
        var bytes: [UInt8] = []
        let stop = stop?.descriptor ?? -1
        while true {
            let ready = PollSet.wait(for: [descriptor, stop])
            if ready.isReady(stop) { throw .cancelled }
            guard ready.isReady(descriptor), let count = try read(into: buffer) else { continue }
            if count == 0 {
                return try reading.recognizer?.lines(of: bytes, named: name, limit: expandedLimit) ?? bytes
            }
            bytes += buffer[..<count]
            guard bytes.count <= expandedLimit || decodedBytes == nil else {
                throw .tooLarge(path: name, limit: expandedLimit)
            }
        }
    }

    /// Ends the programs that decode, without waiting for them, and closes the descriptor if it was opened here; may be called more
    /// than once.
    package func close() {
        let (stages, source) = state.withLock { state in
            defer {
                state.stages = []
                state.awaited = nil
                state.source = -1
            }
            return (state.stages, state.isOwned ? state.source : -1)
        }
        guard !stages.isEmpty else {
            if source >= 0 { Glibc.close(source) }
            return
        }
        Endings.run {
            // The last one first, because each reads from the one before.
            for stage in stages.reversed() { stage.end() }
            Glibc.close(source)
        }
    }

    /// Makes the descriptor one that is closed with the input, because a stage reads it until that has ended.
    func ownSource() throws(LocationError) {
        let code = state.withLock { state -> Int32 in
            if state.isOwned { return 0 }
            let copy = fcntl(state.source, F_DUPFD_CLOEXEC, 3)
            if copy < 0 { return errno }
            (state.source, state.isOwned) = (copy, true)
            return 0
        }
        if code != 0 { throw .unreadable(name, code) }
    }

    private static func unopened(_ path: String, _ code: Int32) -> LocationError {
        var status = stat()
        // The system calls a socket a missing device.
        guard code == ENXIO, stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else {
            return .unreadable(path, code)
        }
        return .unreadable(path: path, cause: "it is a socket")
    }
}

extension LocationError {
    /// Returns the error for a file that cannot be read, which is a denial if permission is missing.
    package static func unreadable(_ path: String, _ code: Int32) -> LocationError {
        let cause = String(cString: strerror(code))
        return code == EACCES ? .denied(what: "reading \(path)", cause: cause) : .unreadable(path: path, cause: cause)
    }

    /// Returns the error for an input that expands to more bytes than fit into memory.
    static func tooLarge(path: String, limit: Int) -> LocationError {
        .damaged(
            path: path,
            cause: "it expands to more than \(limit >> 20) MB, which must fit into memory; "
                + "a recording of gpsd's JSON that is not compressed can be larger")
    }
}
