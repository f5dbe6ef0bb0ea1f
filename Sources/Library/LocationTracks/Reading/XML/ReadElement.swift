package import LocationCore

/// An element of a track that is read.
package enum ReadElement: Hashable, Sendable {
    /// The next point, which has a time; the fix of a point without a valid position is `none`.
    case point(TrackPoint)
    /// The next point begins a new segment; the time is between it and the last point.
    case gap(Timestamp, device: String?)
    case message(String)
    /// The content of the file that is in no point, in words such as `3 waypoints`.
    case leftOut(String)
}

extension ReadElement {
    /// The receiver and the time, if it has them.
    var origin: (device: String?, time: Timestamp)? {
        switch self {
        case .point(let point): point.location.timestamp.map { (point.location.device, $0) }
        case .gap(let time, let device): (device, time)
        case .message, .leftOut: nil
        }
    }
}

/// The times for points without a time.
package struct TimelessPoints: Hashable, Sendable {
    /// The speed in metres per second, or `nil` if points without a time are not accepted.
    package var speed: Double?
    package var start: Timestamp
    /// Whether the only point of a file is accepted without a speed, which it does not need.
    package var acceptsLonePoint = false

    package init(speed: Double?, start: Timestamp) {
        self.speed = speed
        self.start = start
    }
}
