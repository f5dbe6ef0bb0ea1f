import LocationCore
import LocationTracks

/// The last position and the recent past of one receiver, or of the current ones of a session, as the screen shows them.
struct ReceiverScene: Sendable {
    /// The time after which a missing pulse is replaced by less accurate comparisons of the clocks.
    private static let pulseMemory = Duration.seconds(5)
    /// The stay after which a receiver no longer moves.
    private static let leastStay = Duration.seconds(60)

    /// The last position, which may no longer be current.
    var location: Location?
    /// The session time of the last position.
    var located: Duration?
    /// The satellites of the last position, if any.
    var sky: SkyView?
    /// The session time at which the receiver came to where it is, if known.
    private(set) var arrived: Duration?
    /// Whether the receiver has come to where it is after its first positions, and less than a minute ago.
    private(set) var isMoving = false
    var history = MonitorHistory()
    private(set) var trails = SkyTrails()
    /// The last comparison of the host's clock with the receiver's, if gpsd sends any.
    private(set) var clock: ClockSample?
    private var clockCompared = Duration.zero
    /// The errors of the positions against a point whose place is known, if there is one.
    private(set) var reference: ReferenceFigures?

    init(reference: ReferencePoint? = nil) { self.reference = reference.map(ReferenceFigures.init) }

    mutating func process(
        _ location: Location, _ sky: SkyView?, at moment: Moment, located: Duration, stay: Duration?
    ) {
        (self.location, self.sky, self.located) = (location, sky, located)
        history.append(location, at: moment)
        arrived = stay.map { moment.elapsed - $0 }
        if let arrived, let stay, let first = history.places.first?.elapsed {
            // The speed is known from the second position on.
            isMoving = stay < Self.leastStay && arrived > first + .seconds(2)
        }
        reference?.process(location, at: moment)
    }

    mutating func process(_ sky: SkyView, at moment: Moment) {
        history.append(sky)
        trails.append(sky, at: moment)
    }

    mutating func process(_ sample: ClockSample, at moment: Moment) {
        // The pulse is better, so the first data count only after it has been missing for a while.
        if sample.source == .message, let clock, clock.source == .pulse,
            moment.elapsed - clockCompared < Self.pulseMemory
        {
            return
        }
        clock = sample
        clockCompared = moment.elapsed
        history.append(sample)
    }
}
