import LocwatchSupport

/// A stay of the machine at one place, with its arrival and, once it has left, its departure.
public struct Stay: Hashable, Sendable {
    /// The mean of the positions during the stay.
    public internal(set) var coordinate: Coordinate
    /// The moment at which the machine came to the place.
    public let arrival: Moment
    /// The moment of the last position at the place, or `nil` while the stay lasts.
    public internal(set) var departure: Moment?
    /// The machine of a fleet, or `nil` in a session with one position.
    public let subject: String?
}

/// A detector of the stays of one machine, from its current positions and from whether its receiver stands still.
///
/// A stay begins when the receiver has stood still for a time, and ends with a position beyond a radius, more than that position's accuracy
/// explains. A value without a clock.
struct StayDetector: Sendable {
    let minimum: Duration
    let radius: Double
    private var stay: Stay?
    /// The number of positions of the stay.
    private var count = 0
    /// The moment of the last position at the place.
    private var latest: Moment?

    init(lasting minimum: Duration, within radius: Double) {
        self.minimum = minimum
        self.radius = radius
    }

    /// Processes a position of a receiver that has stood still for a time, and returns a stay that begins or ends with it.
    mutating func process(
        _ location: Location, stillFor still: Duration?, at moment: Moment, of subject: String?
    ) -> Stay? {
        guard var stay else {
            guard let still, still >= minimum else { return nil }
            let begun = Stay(
                coordinate: location.coordinate, arrival: moment.advanced(by: .zero - still), departure: nil,
                subject: subject)
            (stay, count, latest) = (begun, 1, moment)
            return begun
        }
        let distance = stay.coordinate.distance(to: location.coordinate)
        guard distance > radius + (location.horizontalAccuracy ?? 0) else {
            count += 1
            stay.coordinate.move(1 / Double(count), towards: location.coordinate)
            (self.stay, latest) = (stay, moment)
            return nil
        }
        self.stay = nil
        stay.departure = latest
        return stay
    }
}

extension LocationProvider {
    /// Returns the stays of one session, each when it has begun and again, with its departure, when it has ended.
    ///
    /// A machine stays while its receiver stands still, by its speed and by the scatter of its positions, and does not leave the place. A
    /// receiver that moves about within the radius does not end a stay, nor does the loss of its position. In a fleet each machine has
    /// its own stays. A stay that lasts at the end of the session has no departure.
    ///
    /// ```swift
    /// for try await stay in provider.stays() where stay.departure != nil { print(stay.coordinate) }
    /// ```
    ///
    /// - Parameters:
    ///   - request: The positions to use; a filter of distance or time hides that a receiver stands still.
    ///   - minimum: The time for which the receiver must stand still, at least a minute.
    ///   - radius: The distance in metres from the place beyond which a position ends the stay, apart from its accuracy.
    public func stays(
        for request: LocationRequest = .everything, lasting minimum: Duration = .seconds(300),
        within radius: Double = 50
    ) -> some AsyncSequence<Stay, LocationError> & Sendable {
        let tracked = tracked(for: request)
        return SessionSequence<Stay> {
            var iterator = tracked.makeAsyncIterator()
            var detectors = PerDevice<StayDetector>()
            return { (actor: isolated (any Actor)?) async throws(LocationError) -> Stay? in
                while let next = try await iterator.next(isolation: actor) {
                    guard case .update(let update, .current) = next, let location = update.location else { continue }
                    let new = StayDetector(lasting: minimum, within: radius)
                    let still = iterator.view.standstill(of: location.device)
                    let stay = detectors[update.subject, default: new].process(
                        location, stillFor: still, at: update.moment, of: update.subject)
                    if let stay { return stay }
                }
                return nil
            }
        }
    }
}
