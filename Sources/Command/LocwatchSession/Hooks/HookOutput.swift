import LocwatchTerminal

/// The output of one run of a hook, as lines that are limited in length and in number.
package struct HookOutput: Hashable, Sendable {
    /// The number of bytes of a run that are shown.
    package static let limit = 64 * 1024
    /// The length in bytes at which a line is divided.
    static let longestLine = 1024

    private var line: [UInt8] = []
    private var count = 0
    /// Whether the limit is exceeded, so that the rest is discarded.
    private(set) var isExceeded = false

    /// Appends output and passes on the lines that it completes, and once the notice that the rest is discarded.
    ///
    /// A list of the lines would take a megabyte for short ones.
    mutating func append(_ bytes: some Collection<UInt8>, _ say: (String) -> Void) {
        for byte in bytes {
            if isExceeded { return }
            count += 1
            if byte == UInt8(ascii: "\n") {
                say(take())
            } else {
                line.append(byte)
                if line.count == Self.longestLine { say(take()) }
            }
            if count == Self.limit {
                isExceeded = true
                finish(say)
                say("(the rest of its output is not shown)")
            }
        }
    }

    /// Passes on the last line, if it does not end with a new line.
    mutating func finish(_ say: (String) -> Void) { if !line.isEmpty { say(take()) } }

    private mutating func take() -> String {
        defer { line.removeAll(keepingCapacity: true) }
        let text = line.last == UInt8(ascii: "\r") ? line.dropLast() : line[...]
        return String(decoding: text, as: UTF8.self).printable
    }
}
