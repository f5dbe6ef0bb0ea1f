/// A parser that splits the bytes of a client into commands, regardless of the segments in which they arrive.
///
/// gpsd takes a command at its `;` or at the end of what it has read, so some clients end theirs with neither `;` nor a
/// newline. Here a complete object at the end of a segment is sufficient; a name without an object can still grow.
struct ClientRequests {
    /// The longest command, `;` included.
    static let limit = 8192

    /// Whether a command has become longer than the limit; the bytes that follow are ignored.
    private(set) var isTooLong = false
    private var pending: [UInt8] = []
    private var isInString = false
    private var isEscaped = false
    /// The number of open braces outside strings.
    private var depth = 0

    /// Processes bytes and returns the commands that are complete, each with its `;` if it has one.
    mutating func feed(_ bytes: some Sequence<UInt8>) -> [String] {
        var requests: [String] = []
        for byte in bytes where !isTooLong {
            let isEnd = byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
            if !isEnd { pending.append(byte) }
            if isInString, !isEnd {
                isInString = isEscaped || byte != UInt8(ascii: "\"")
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
            } else if byte == UInt8(ascii: "\"") {
                isInString = true
            } else if isEnd || byte == UInt8(ascii: ";") {
                take(into: &requests)
            } else if byte == UInt8(ascii: "{") {
                depth += 1
            } else if byte == UInt8(ascii: "}") {
                depth -= 1
            }
            if pending.count > Self.limit {
                isTooLong = true
                reset()
            }
        }
        if depth == 0, !isInString, pending.last == UInt8(ascii: "}") { take(into: &requests) }
        return requests
    }

    /// Appends the pending command unless it is empty, and begins the next one.
    private mutating func take(into requests: inout [String]) {
        let request = pending.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        if !request.isEmpty, request.first != UInt8(ascii: ";") {
            requests.append(String(decoding: request, as: UTF8.self))
        }
        reset()
    }

    private mutating func reset() {
        pending = []
        isInString = false
        isEscaped = false
        depth = 0
    }
}
