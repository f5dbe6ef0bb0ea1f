import LocationCore

/// The last events of a session as text of Server-Sent Events: a queue that all readers share.
///
/// Each reader takes the text from its own place. One whose place is no longer there has fallen behind by the whole limit.
struct EventBacklog: Sendable {
    /// The size of the text in bytes: some minutes of a receiver with satellites once a second.
    static let limit = 512 * 1024

    /// The identity of this session in the names of events, of letters and digits, because a place of another session means nothing.
    private let session: String
    /// The newest text; the part beyond the limit is dropped when it has an eighth of it.
    private var bytes: [UInt8] = []
    /// The number of bytes since the beginning of the session, which is the place of the next event.
    private(set) var end: UInt64 = 0

    init(session: String) {
        self.session = session
        // Memory that is not used yet costs nothing, and growing would copy.
        bytes.reserveCapacity(Self.limit + Self.limit / 8)
    }

    /// The place of the oldest byte.
    private var start: UInt64 { end - UInt64(min(bytes.count, Self.limit)) }

    var newest: String { name(end) }

    /// Appends an event and drops the oldest text beyond the limit.
    ///
    /// - Parameter line: The JSON of the event, without a line break.
    mutating func append(_ line: some Collection<UInt8>) {
        // All names have the same length.
        let size = Self.text(EmptyCollection(), name: newest).count + line.count
        put(Self.text(line, name: name(end + UInt64(size))))
    }

    /// Appends a comment, which shows both sides that a connection is alive.
    mutating func appendComment() { put(Array(":\n\n".utf8)) }

    private mutating func put(_ text: [UInt8]) {
        let excess = bytes.count + text.count - Self.limit
        // Not each time, because removing from the front moves the rest.
        if excess > Self.limit / 8 { bytes.removeFirst(min(bytes.count, excess)) }
        bytes += text
        end += UInt64(text.count)
    }

    /// Copies the text from a place; returns the number of bytes, or `nil` if the place is no longer there.
    func copy(from place: UInt64, into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int? {
        guard start...end ~= place else { return nil }
        let part = bytes.suffix(Int(end - place)).prefix(buffer.count)
        _ = buffer.update(fromContentsOf: part)
        return part.count
    }

    /// Returns the place after an event with a name, or `nil` if a reader cannot continue there.
    func place(after name: String) -> UInt64? {
        guard name.hasPrefix(session + "-"), let place = UInt64(name.dropFirst(session.count + 1), radix: 16) else {
            return nil
        }
        return start...end ~= place ? place : nil
    }

    private func name(_ place: UInt64) -> String { "\(session)-\(place.hexadecimal)" }

    /// Returns the text of an event, with a name if a reader can continue after it.
    static func text(_ line: some Collection<UInt8>, name: String? = nil) -> [UInt8] {
        var text = Array((name.map { "id: \($0)\n" } ?? "").utf8)
        text += "data: ".utf8
        text += line
        text += "\n\n".utf8
        return text
    }
}
