/// The place of one reader in a stream of events.
struct EventReader: Sendable {
    /// The number of the last event that was handed out.
    private var last: UInt64 = 0
    /// The text that is being sent.
    private var text: [UInt8] = []
    private var sent = 0
    /// Whether the reader has nothing but the name of an event that is no longer there.
    private var needsSnapshot = true

    /// Creates a reader of the events to come.
    ///
    /// - Parameter name: The name of the last event that the reader has received, if any.
    init(after name: String?, in backlog: EventBacklog) {
        guard let name, let number = backlog.number(of: name) else { return }
        last = number
        needsSnapshot = false
    }

    /// Copies the next bytes for the reader; returns their number, which is 0 if there is nothing to send.
    ///
    /// - Parameter snapshot: Returns the text with which a new reader begins, given the number of events that the reader
    ///   has missed because it was slow.
    mutating func read(
        into buffer: UnsafeMutableBufferPointer<UInt8>, from backlog: EventBacklog, snapshot: (UInt64) -> [UInt8]
    ) -> Int {
        var count = 0
        while count < buffer.count {
            if sent == text.count, !advance(backlog, snapshot) { break }
            let part = text[sent...].prefix(buffer.count - count)
            _ = UnsafeMutableBufferPointer(rebasing: buffer[count...]).update(fromContentsOf: part)
            count += part.count
            sent += part.count
        }
        return count
    }

    private mutating func advance(_ backlog: EventBacklog, _ snapshot: (UInt64) -> [UInt8]) -> Bool {
        (text, sent) = ([], 0)
        if !needsSnapshot, last + 1 < backlog.first {
            text = snapshot(backlog.first - last - 1)
            last = backlog.newest
        } else if needsSnapshot {
            needsSnapshot = false
            text = snapshot(0)
            last = backlog.newest
        } else if let next = backlog[last + 1] {
            text = next
            last += 1
        }
        return !text.isEmpty
    }

    /// Adds a comment, which shows both sides that the connection is alive, unless something is being sent.
    mutating func keepAlive() {
        guard sent == text.count else { return }
        (text, sent) = (Array(":\n\n".utf8), 0)
    }
}
