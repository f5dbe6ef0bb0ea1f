import Glibc
import LocationCore
import LocwatchPlatform

extension RecordingSource {
    /// The bytes that are read to find the first line.
    private static let beginning = 4096

    /// Whether the first line says that the recording is one of a fleet, whose devices are the subjects of their updates.
    ///
    /// A pipe cannot be read twice, so that of one is known only from its updates.
    package var isFleet: Bool { firstMark?.fleet == true }

    package static func isCompressed(file path: String) -> Bool {
        if case .compressed? = InputFormat.of(storedBeginning(ofFile: path), isAtEnd: true) { true } else { false }
    }

    /// Returns whether reading a regular file takes a program: it is compressed, or the log of a receiver.
    package static func isDecoded(file path: String) -> Bool {
        switch InputFormat.of(storedBeginning(ofFile: path, count: InputFormat.beginning), isAtEnd: true) {
        case .compressed, .log: true
        case .session, .unrelated, nil: false
        }
    }

    private var firstMark: RecordingMark? {
        let beginning: [UInt8]
        switch self {
        case .bytes(let bytes, _): beginning = Array(bytes.prefix(Self.beginning))
        case .path(let path): beginning = Self.beginning(ofFile: path)
        case .descriptor: return nil
        }
        guard let line = beginning.split(separator: UInt8(ascii: "\n"), maxSplits: 1).first else { return nil }
        var decoder = ReportDecoder()
        guard case .mark(let mark)? = try? decoder.decode(Array(line)) else { return nil }
        return mark
    }

    /// Returns the beginning of a regular file, decompressed, or no bytes.
    package static func beginning(ofFile path: String) -> [UInt8] {
        let bytes = storedBeginning(ofFile: path)
        guard case .compressed? = InputFormat.of(bytes, isAtEnd: true) else { return bytes }
        return decompressed(path)
    }

    /// Returns the beginning of a regular file as it is stored, or no bytes.
    private static func storedBeginning(ofFile path: String, count: Int = beginning) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return [] }
        var bytes = [UInt8](repeating: 0, count: count)
        let size = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
        return Array(bytes.prefix(max(0, size)))
    }

    /// Returns the beginning of a compressed file, or no bytes if it cannot be read.
    private static func decompressed(_ path: String) -> [UInt8] {
        var reading = InputReading()
        reading.isPlain = true
        guard let input = try? RecordingInput(file: path, reading: reading) else { return [] }
        defer { input.close() }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 17, alignment: 1)
        defer { buffer.deallocate() }
        // A program that writes nothing for so long writes no mark at the beginning.
        let deadline = ContinuousClock.now + .seconds(10)
        while CaughtSignals.first == nil, .now < deadline {
            guard PollSet.wait(for: input.descriptor, within: .milliseconds(100)) else { continue }
            do throws(LocationError) {
                guard let count = try input.read(into: buffer) else { continue }
                return Array(buffer[..<min(count, beginning)])
            } catch {
                return []
            }
        }
        return []
    }
}
