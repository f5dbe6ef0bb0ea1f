package import LocationCore

/// Plays a recording: its bytes go in, and its updates come out when they are due.
///
/// A value without a clock and without input, which serves a task (`ReplaySession`) and a poll loop (`PolledReplay`) alike.
/// The moments are the recording's at every pace.
package struct RecordingPlayer: Sendable {
    private let pace: ReplayPace
    private var reader: RecordingReader
    private var queue: [LocationUpdate] = []
    private var head = 0
    /// Whether the end of the recording has been read; updates may still be waiting.
    package private(set) var isAtEnd = false
    /// The moment of the last update that was taken, or that was passed to.
    package private(set) var now: Moment?

    /// A player at the beginning of a recording.
    ///
    /// - Parameters:
    ///   - name: the recording's name in messages.
    ///   - pace: how fast it is played.
    ///   - includesLines: whether the lines come as events too.
    package init(name: String, pace: ReplayPace, includesLines: Bool = false) {
        self.pace = pace
        reader = RecordingReader(name: name, includesLines: includesLines)
    }

    /// The next update, due or not; `nil` if more bytes are needed or the recording is over.
    package var next: LocationUpdate? { head < queue.count ? queue[head] : nil }

    /// Whether nothing comes any more.
    package var isOver: Bool { isAtEnd && head == queue.count }

    /// Whether updates wait for the recording's first time.
    package var isUndated: Bool { reader.isUndated }

    /// Reads the next bytes, once `next` is `nil`; an empty piece is the end of the recording.
    package mutating func read(_ piece: UnsafeRawBufferPointer) throws(LocationError) {
        clear()
        isAtEnd = piece.isEmpty
        // Taken out while it is filled, so that no copy of it is made.
        var updates: [LocationUpdate] = []
        swap(&updates, &queue)
        defer { swap(&updates, &queue) }
        try reader.read(piece) { updates.append($0) }
    }

    /// Takes updates that were read elsewhere, in place of bytes.
    package mutating func load(_ updates: [LocationUpdate], isLast: Bool) {
        queue = updates
        head = 0
        isAtEnd = isLast
    }

    /// Gives what waits for the recording's first time the time of the host.
    package mutating func pass(to moment: Moment) {
        var updates: [LocationUpdate] = []
        reader.pass(to: moment) { updates.append($0) }
        queue += updates
        now = max(now ?? moment, moment)
    }

    /// Returns the playing time at which a moment is due, or `nil` if moments are not waited for.
    package func playingTime(of moment: Moment) -> Duration? { pace.playingTime(of: moment.elapsed) }

    /// Takes the next update.
    package mutating func pop() -> LocationUpdate? {
        guard head < queue.count else { return nil }
        head += 1
        now = queue[head - 1].moment
        return queue[head - 1]
    }

    /// Passes to a moment at which nothing happens.
    package mutating func rest(until moment: Moment) { now = max(now ?? moment, moment) }

    /// Drops what waits, and ends.
    package mutating func stop() {
        clear()
        isAtEnd = true
    }

    private mutating func clear() {
        queue.removeAll(keepingCapacity: true)
        head = 0
    }
}
