import Glibc
import LocationCore
import LocwatchArguments
import LocwatchPlatform
import LocwatchSession
import LocwatchTerminal

/// The lines of standard input, each of which should be a time.
enum TimesInput {
    /// The limit of the number of times; the photographs of a lifetime are fewer.
    static let limit = 200_000
    /// The longest line that can be a time.
    private static let lineLimit = 256

    /// Reads standard input to its end; a signal ends it.
    static func read(_ descriptor: Int32, signals: Event) throws(StartFailure) -> [String] {
        var lines: [String] = []
        var line: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        func end() throws(StartFailure) {
            guard lines.count < limit else {
                throw StartFailure("standard input has more than \(limit) times", .badData)
            }
            if line.last == UInt8(ascii: "\r") { line.removeLast() }
            lines.append(String(decoding: line, as: UTF8.self))
            line.removeAll(keepingCapacity: true)
        }
        while true {
            PollSet.wait(for: [descriptor, signals.descriptor])
            if CaughtSignals.first != nil { throw StartFailure([], .internalError) }
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count >= 0 else {
                throw StartFailure(UsageError(unreadable: "standard input", SystemFailure("read", code: errno)))
            }
            guard count > 0 else { break }
            for byte in chunk.prefix(count) {
                if byte == UInt8(ascii: "\n") { try end() } else if line.count < lineLimit { line.append(byte) }
            }
        }
        if !line.isEmpty { try end() }
        return lines
    }
}
