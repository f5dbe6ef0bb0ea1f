/// The place of one reader in a stream of events.
struct EventReader {
    /// The number of the last event that was handed out.
    private var last: UInt64 = 0
    /// The rest of the text with which a new reader begins.
    private var snapshot: TextPieces?
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

    /// Returns the next piece of text for the reader, which is empty if there is no event for it yet.
    ///
    /// - Parameter beginning: Returns the text with which a new reader begins, given the number of events that the reader
    ///   has missed because it was slow. Events that come while it is sent follow it.
    mutating func next(_ backlog: EventBacklog, _ beginning: (UInt64) -> TextPieces) -> [UInt8] {
        if let piece = snapshot?.next(), !piece.isEmpty { return piece }
        snapshot = nil
        if needsSnapshot || last + 1 < backlog.first {
            snapshot = beginning(needsSnapshot ? 0 : backlog.first - last - 1)
            needsSnapshot = false
            last = backlog.newest
            return snapshot?.next() ?? []
        }
        guard let event = backlog[last + 1] else { return [] }
        last += 1
        return event
    }
}
