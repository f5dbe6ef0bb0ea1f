import Glibc
public import LocationCore
import GPSDProtocol
package import LocwatchPlatform

/// A scenario that a stand-in performs: at a time the fix is lost, the position jumps, connections are refused.
///
/// Each line is `[at TIME] WORD ARGUMENTS`, such as `at 20s jump 3km` or `at 30s fault garbage=20/5s~7`; empty lines and those that
/// begin with `#` are comments. Times count from the first client that watches, or from the start with a manual clock. The same script
/// and the same seeds give the same bytes.
public struct StandInScript: Hashable, Sendable {
    /// The number of lines that a script can have.
    static let lineLimit = 100_000
    /// The number of bytes that a script can have.
    static let byteLimit = 8 << 20
    /// The number of bytes that a line can have.
    static let lineByteLimit = 8192

    /// The steps in the order of their lines.
    package var steps: [StandInStep] = []

    package init() {}

    /// Parses a script.
    ///
    /// - Parameter text: The lines of the script.
    public init(_ text: String) throws(SimulationError) {
        var (number, repeating) = (1, 0)
        func check(_ isAllowed: Bool, _ rule: @autoclosure () -> String) throws(SimulationError) {
            if !isAllowed { throw SimulationError(line: number, column: 1, reason: rule()) }
        }
        try check(text.utf8.count <= Self.byteLimit, "a script has at most \(Self.byteLimit >> 20) MiB")
        // Editors of other systems begin a text with a byte order mark.
        let lines = text.first == "\u{FEFF}" ? text.dropFirst() : text[...]
        for line in lines.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            defer { number += 1 }
            // The text after the last line end is not a line.
            try check(number <= Self.lineLimit || line.isEmpty, "a script has at most \(Self.lineLimit) lines")
            try check(line.utf8.count <= Self.lineByteLimit, "a line has at most \(Self.lineByteLimit) bytes")
            var words = WordReader(line, line: number)
            guard let first = words.next, !first.hasPrefix("#") else { continue }
            var step = try words.step(isScript: true)
            step.line = number
            step.text = line.split(separator: " ").joined(separator: " ")
            if step.interval != nil { repeating += 1 }
            try check(
                repeating <= ScheduledSteps.repeatLimit, "at most \(ScheduledSteps.repeatLimit) faults repeat")
            steps.append(step)
        }
    }

    /// Reads a script from a file.
    ///
    /// - Throws: A `LocationError` with the code `unreadable` or `denied`, or `script` with the line and the reason.
    public init(path: String) throws(LocationError) { try self.init(path: path, until: nil) }

    /// Reads a script from a file or a named pipe, until an event happens.
    package init(path: String, until stop: Event?) throws(LocationError) {
        // Opening does not wait for the writer of a pipe.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .unreadable(path, errno) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let stop = stop?.descriptor ?? -1
        while bytes.count <= Self.byteLimit {
            let ready = PollSet.wait(for: [descriptor, stop])
            if ready.isReady(stop) { throw .cancelled }
            guard ready.isReady(descriptor) else { continue }
            let count = read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EAGAIN || errno == EINTR { continue }
            if count < 0 { throw .unreadable(path, errno) }
            guard count > 0 else { break }
            bytes += chunk.prefix(count)
        }
        do throws(SimulationError) {
            try self.init(String(decoding: bytes, as: UTF8.self))
        } catch {
            throw LocationError.script("\(path): \(error)")
        }
    }
}

extension LocationError {
    /// Returns the error of a script or a command that a stand-in cannot perform.
    static func script(_ message: String) -> LocationError { .script(cause: message) }
}
