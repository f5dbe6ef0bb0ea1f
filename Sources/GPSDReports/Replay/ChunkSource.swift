import Glibc
import LocationCore
import LocwatchPlatform
import LocwatchSupport

/// A reader of a recording in chunks, which waits for a slow pipe on a separate thread and can be woken.
///
/// Only one task may read at a time. `close` may be called from any thread; the descriptors stay open until the last
/// read has ended.
final class ChunkSource: Sendable {
    static let chunkSize = ReadAhead.chunk

    fileprivate struct Content {
        /// The open input, or `nil` for bytes in memory and after the end.
        var input: RecordingInput?
        var mayBlock = false
        var wake: (read: Int32, write: Int32) = (-1, -1)
        /// The remaining bytes in memory, or `nil` if there is an input.
        var rest: ArraySlice<UInt8>?
        var isReading = false
        var isClosed = false
    }

    let name: String
    private let content: Lock<Content>

    init(_ source: RecordingSource, recognizer: RecordingRecognizer? = nil) throws(LocationError) {
        name = source.name
        var content = Content()
        switch source {
        case .bytes(let bytes, _): content.rest = bytes[...]
        case .descriptor(let descriptor):
            content.input = RecordingInput(descriptor: descriptor, name: source.name, recognizer: recognizer)
        case .path(let path): content.input = try RecordingInput(file: path, recognizer: recognizer)
        }
        if let input = content.input, input.fileSize == nil {
            content.mayBlock = true
            var ends: [Int32] = [-1, -1]
            // Without the pipe a waiting read could not be ended, so fail instead.
            guard pipe(&ends) == 0 else {
                let failure = input.unreadable(errno)
                content.release()
                throw failure
            }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            content.wake = (ends[0], ends[1])
        }
        self.content = Lock(content)
    }

    deinit { close() }

    /// Returns the next bytes, or `nil` at the end or after the source was closed.
    func next() async -> Result<[UInt8]?, LocationError> {
        let (input, wake, mayBlock) = content.withLock { ($0.input, $0.wake.read, $0.mayBlock) }
        if let rest = content.withLock({ $0.takeRest() }) { return .success(rest.isEmpty ? nil : rest) }
        guard let input, content.withLock({ $0.beginReading() }) else { return .success(nil) }
        let result: ReadResult =
            mayBlock && !input.isReady ? await ReadResult.waiting(for: input, or: wake) : ReadResult(reading: input)
        content.withLock { $0.endReading() }
        switch result {
        case .bytes(let bytes): return .success(bytes.isEmpty ? nil : bytes)
        case .nothing, .woken: return .success(nil)
        case .failed(let failure): return .failure(failure)
        }
    }

    /// Ends a waiting read and closes the descriptors; may be called more than once.
    func close() {
        content.withLock { content in
            guard !content.isClosed else { return }
            content.isClosed = true
            content.rest = []
            if content.isReading {
                var byte: UInt8 = 0
                _ = write(content.wake.write, &byte, 1)
            } else {
                content.release()
            }
        }
    }
}

extension ChunkSource.Content {
    mutating func takeRest() -> [UInt8]? {
        guard let bytes = rest else { return nil }
        // Split into pieces like a file, so that the first event is emitted before everything is decoded.
        let piece = bytes.prefix(ChunkSource.chunkSize)
        rest = bytes.dropFirst(ChunkSource.chunkSize)
        return Array(piece)
    }

    mutating func beginReading() -> Bool {
        if isClosed { return false }
        isReading = true
        return true
    }

    mutating func endReading() {
        isReading = false
        if isClosed { release() }
    }

    mutating func release() {
        input?.close()
        if wake.read >= 0 { Glibc.close(wake.read) }
        if wake.write >= 0 { Glibc.close(wake.write) }
        (input, wake) = (nil, (-1, -1))
    }
}

private enum ReadResult {
    case bytes([UInt8])
    /// Nothing has arrived yet, although the input was ready.
    case nothing
    case woken
    case failed(LocationError)

    init(reading input: RecordingInput) {
        var result = Result<Int?, LocationError>.success(nil)
        let bytes = [UInt8](unsafeUninitializedCapacity: ChunkSource.chunkSize) { buffer, length in
            let buffer = UnsafeMutableRawBufferPointer(buffer)
            result = Result { () throws(LocationError) in try input.read(into: buffer) }
            if case .success(let count?) = result { length = count }
        }
        self =
            switch result {
            case .success(nil): .nothing
            case .success: .bytes(bytes)
            case .failure(let failure): .failed(failure)
            }
    }

    /// Waits on a separate thread until there is something to read, or until woken.
    static func waiting(for input: RecordingInput, or wake: Int32) async -> ReadResult {
        await withCheckedContinuation { continuation in
            do throws(SystemFailure) {
                try NativeThread.start { continuation.resume(returning: blocking(for: input, or: wake)) }
            } catch {
                continuation.resume(returning: .failed(input.unreadable(error.code)))
            }
        }
    }

    private static func blocking(for input: RecordingInput, or wake: Int32) -> ReadResult {
        while true {
            var polled = [
                pollfd(fd: input.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wake, events: Int16(POLLIN), revents: 0),
            ]
            if poll(&polled, nfds_t(polled.count), -1) < 0 {
                if errno == EINTR { continue }
                return .failed(input.unreadable(errno))
            }
            if polled[1].revents != 0 { return .woken }
            let result = ReadResult(reading: input)
            if case .nothing = result { continue }
            return result
        }
    }
}
