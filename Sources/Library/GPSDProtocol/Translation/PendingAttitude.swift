import LocationCore

/// The attitude of a receiver that waits for the position of its epoch.
struct PendingAttitude {
    private var attitude: Attitude?
    private var timestamp: Timestamp?
    /// The moment at which the attitude is emitted by itself.
    private(set) var due: Moment?

    /// The longest wait of an attitude that has a time: in a recording, reports have the moment of the epoch before.
    private static let timedLimit = SkyMemory.life

    /// Returns the time of an attitude, or `nil` if it cannot be compared with that of the receiver's epoch.
    static func time(of attitude: Attitude, near epoch: Timestamp?) -> Timestamp? {
        guard let time = attitude.timestamp, let epoch,
            max(time.since(epoch), epoch.since(time)) <= GPSDQuirks.wrongAttitudeTime
        else { return nil }
        return time
    }

    /// Adds an attitude, and returns the one that waited if it was of another time.
    mutating func add(_ part: Attitude, time: Timestamp?, at moment: Moment) -> Attitude? {
        guard attitude != nil, timestamp == time else {
            let before = release()
            (attitude, timestamp) = (part, time)
            due = moment.advanced(by: time == nil ? Location.assemblyLimit : Self.timedLimit)
            return before
        }
        attitude?.update(with: part)
        return nil
    }

    /// Returns the attitude that belongs to the position that begins an epoch, or one that belongs to an earlier epoch.
    mutating func take(for position: Location) -> (own: Attitude?, other: Attitude?) {
        guard let attitude else { return (nil, nil) }
        if timestamp == nil || timestamp == position.timestamp {
            _ = release()
            return (attitude, nil)
        }
        if let timestamp, let begun = position.timestamp, begun < timestamp { return (nil, nil) }
        return (nil, release())
    }

    /// Removes the attitude and returns it.
    mutating func release() -> Attitude? {
        defer { self = PendingAttitude() }
        return attitude
    }
}
