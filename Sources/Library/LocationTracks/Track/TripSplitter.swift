package import LocationCore

/// A splitter of a track into trips, each of which begins with the departure after a stop.
///
/// The positions of a stop belong to the trip before it, and those before the first departure to the first trip. A stop is a time in
/// which the receiver is not underway by `Motion`. A time without positions belongs to it if the receiver is then where it was.
///
/// After a long enough stop, positions that may be the first ones of a departure are held back until that is decided, which takes
/// a few seconds.
package struct TripSplitter: Sendable {
    /// An element of the track, and its session time.
    package struct Piece: Sendable {
        package var element: TrackElement
        package var moment: Moment
        /// Whether it is the first point of another trip.
        package var beginsTrip = false

        package init(element: TrackElement, moment: Moment) { (self.element, self.moment) = (element, moment) }
    }

    /// The number of elements that are held back at most.
    static let limit = 60
    /// The distance in metres within which a receiver that had no position is where it was: the first position after one in a garage
    /// is rarely better.
    static let samePlace = 100.0

    private let stop: Int64
    private var clock = FigureClock()
    private var motion = Motion()
    /// The time since which the receiver stands, if it does.
    private var stoodSince: Int64?
    /// The time of the first position that may be one of a departure, if there is one.
    private var departure: Int64?
    private var hasTrip = false
    private var held: [Piece] = []
    private var last: (location: Location, elapsed: Int64)?
    private var isInterrupted = false

    /// Creates a splitter at stops of at least a duration.
    package init(stop: Duration) { self.stop = stop.clampedNanoseconds }

    /// Processes the next element of a track; returns the elements that are decided by now, in their order.
    package mutating func process(_ element: TrackElement, at moment: Moment) -> [Piece] {
        let isWaiting = !held.isEmpty
        held.append(Piece(element: element, moment: moment))
        switch element {
        case .gap:
            clock.interrupt()
            motion.interrupt()
            (isInterrupted, departure) = (true, nil)
            return release()
        case .point(let point):
            // The time of a late position says nothing about the way.
            guard !point.location.isLate else { return isWaiting ? [] : release() }
            return follow(point, at: moment.elapsed.clampedNanoseconds)
        }
    }

    /// Returns the elements that are still held back at the end of the track.
    package mutating func finish() -> [Piece] { release() }

    private mutating func release() -> [Piece] {
        defer { held = [] }
        return held
    }

    private mutating func follow(_ point: TrackPoint, at arrival: Int64) -> [Piece] {
        let location = point.location
        clock.follow(location, at: arrival)
        let elapsed = clock.time(of: arrival)
        motion.process(location, isStationary: point.isStationary, at: elapsed)
        if isInterrupted { bridge(to: location, at: elapsed) }
        defer { last = (location, elapsed) }
        if motion.isUnderway {
            if isLongStop(until: departure ?? elapsed) { held[0].beginsTrip = true }
            (hasTrip, stoodSince, departure) = (true, nil, nil)
            return release()
        }
        stoodSince = stoodSince ?? elapsed
        departure = motion.suspectsDeparture ? departure ?? elapsed : nil
        guard let departure, isLongStop(until: departure), held.count < Self.limit else { return release() }
        return []
    }

    /// Returns whether the receiver has made a trip, and has then stood long enough for another one.
    private func isLongStop(until elapsed: Int64) -> Bool {
        hasTrip && (stoodSince.map { elapsed - $0 >= stop } ?? false)
    }

    /// Counts a time without positions as a part of a stop if the receiver is where it was, and otherwise forgets the stop.
    private mutating func bridge(to location: Location, at elapsed: Int64) {
        isInterrupted = false
        guard let last else { return }
        guard last.location.coordinate.distance(to: location.coordinate) <= Self.samePlace else {
            stoodSince = nil
            return
        }
        // The receiver's clock tells of a pause between two parts of a recording.
        let told = location.timestamp.flatMap { now in last.location.timestamp.map { now.since($0) } } ?? .zero
        stoodSince = min(stoodSince ?? last.elapsed, elapsed - min(told.clampedNanoseconds, .max / 4))
    }
}
