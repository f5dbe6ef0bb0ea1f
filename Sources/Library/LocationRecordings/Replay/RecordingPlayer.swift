package import LocationCore

/// A player that takes the bytes of a recording and returns its updates when they are due.
///
/// It is a value without a clock or input. The moments are the recording's at every pace.
package struct RecordingPlayer {
    private let pace: ReplayPace
    private var reader: RecordingReader
    private var queue: [LocationUpdate] = []
    private var head = 0
    /// Whether the end of the recording has been read; updates may still be queued.
    package private(set) var isAtEnd = false
    /// The moment of the last update taken, or the host's time if it was passed.
    package private(set) var now: Moment?

    /// Creates a player at the beginning of a recording.
    ///
    /// - Parameters:
    ///   - name: The recording's name in messages.
    ///   - pace: The playing speed.
    ///   - reading: The way in which the recording is read.
    ///   - includesLines: Whether each line is also emitted as an event.
    package init(
        name: String, pace: ReplayPace, reading: InputReading = InputReading(), includesLines: Bool = false
    ) {
        self.pace = pace
        reader = RecordingReader(name: name, reading: reading, includesLines: includesLines)
    }

    /// The next update, due or not, or `nil` if more bytes are needed or the recording is over.
    package var next: LocationUpdate? { head < queue.count ? queue[head] : nil }

    /// The number of updates that wait.
    var count: Int { queue.count - head }

    /// Whether the recording has ended and all updates have been taken.
    package var isOver: Bool { isAtEnd && head == queue.count }

    /// Whether updates wait for a time.
    package var isUndated: Bool { reader.isUndated }

    /// The largest number of bytes to read next.
    var pieceSize: Int { reader.pieceSize }

    /// Reads the next bytes, once `next` is `nil`; an empty piece ends the recording.
    ///
    /// - Parameter notices: Notices about the bytes, which come before their updates.
    package mutating func read(
        _ piece: UnsafeRawBufferPointer, with notices: [Notice] = []
    ) throws(LocationError) {
        clear()
        isAtEnd = piece.isEmpty
        // Moved out of `self` while it is filled, to avoid a copy.
        var updates: [LocationUpdate] = []
        swap(&updates, &queue)
        defer { swap(&updates, &queue) }
        for notice in notices { reader.note(notice) { updates.append($0) } }
        try reader.read(piece) { updates.append($0) }
    }

    /// Whether updates of the pieces so far are still to be queued by `resume()` before the next piece.
    var hasMore: Bool { reader.hasMore }

    /// Queues some more updates of the pieces so far, once `next` is `nil`.
    mutating func resume() throws(LocationError) {
        clear()
        var updates: [LocationUpdate] = []
        swap(&updates, &queue)
        defer { swap(&updates, &queue) }
        try reader.resume { updates.append($0) }
    }

    /// Replaces the queue with updates that were decoded elsewhere.
    package mutating func load(_ updates: [LocationUpdate], isLast: Bool) {
        queue = updates
        head = 0
        isAtEnd = isLast
    }

    /// Advances to the host's time, and queues the updates that waited for a time.
    package mutating func pass(to moment: Moment) {
        var updates: [LocationUpdate] = []
        reader.pass(to: moment) { updates.append($0) }
        queue += updates
        now = max(now ?? moment, moment)
    }

    /// The moment at which `expire` must be called if no bytes arrive before.
    var deadline: Moment? { reader.deadline }

    /// Queues the epochs whose deadline has passed.
    mutating func expire(at moment: Moment) {
        var updates: [LocationUpdate] = []
        reader.expire(at: moment) { updates.append($0) }
        queue += updates
    }

    /// Returns the playing time at which a moment is due, or `nil` if the pace does not wait.
    package func playingTime(of moment: Moment) -> Duration? { pace.playingTime(of: moment.elapsed) }

    /// Removes and returns the next update.
    package mutating func pop() -> LocationUpdate? {
        guard head < queue.count else { return nil }
        head += 1
        now = queue[head - 1].moment
        return queue[head - 1]
    }

    /// Drops the queued updates and ends the recording.
    package mutating func stop() {
        clear()
        isAtEnd = true
    }

    private mutating func clear() {
        queue.removeAll(keepingCapacity: true)
        head = 0
    }
}
