/// The state of a receiver and its latest reports.
public struct ReceiverView: Sendable {
    let record: ReceiverRecord
    /// The state of the receiver.
    public let state: LocationState

    /// The last change of the judgement of the receiver, or `nil` if it has always been nominal.
    public let integrity: IntegrityChange?
    /// Whether the receiver stands still, by its speed and the scatter of its positions over a minute.
    public let isStationary: Bool

    /// The judgement of the receiver: whether its positions are to be believed.
    public var verdict: IntegrityVerdict { integrity?.to ?? .nominal }

    /// The newest reported position, current or not.
    public var lastLocation: Location? { record.position?.location }
    /// The last report of satellites, with what those of the ten seconds before it add.
    public var sky: SkyView? { record.sky?.skyView }
    /// The attitude of the receiver, of its current position or as it was reported later by itself, until the receiver is lost.
    public var attitude: Attitude? { record.attitude ?? state.location?.attitude }
    /// The last report of the receiver about itself.
    public var status: DeviceStatus? { record.status }
}

/// A reported position, by reference.
enum ReportedPosition: Sendable {
    case event(LocationEvent)
    /// The one of the receiver's state, so that it is in memory once.
    case state(LocationState)

    var location: Location? {
        switch self {
        case .event(let event): event.location
        case .state(let state): state.location
        }
    }
}

/// The latest reports of a receiver; the large ones are kept as events, which are references.
package struct ReceiverRecord: Sendable {
    private(set) var position: ReportedPosition?
    /// The notice of a position that the source has kept, unless the receiver has reported a newer one.
    private var kept: LocationEvent?
    /// The last report of satellites.
    var sky: LocationEvent?
    /// The satellites of the reported position, if any.
    private(set) var positionSky: LocationEvent?
    /// The last attitude that the receiver has reported by itself, unless a position with one followed.
    private var attitudeEvent: LocationEvent?
    /// The last report of the receiver about itself.
    @Boxed package var status: DeviceStatus?

    /// The newest known position, which can be one that the source has kept from before the session, and then has no time of
    /// arrival.
    package var knownLocation: Location? {
        guard case .lastKnown(var location) = kept?.notice else { return position?.location }
        location.received = nil
        return location
    }

    /// Creates the record of a receiver that has not reported anything.
    package init() {}

    /// Notes a position with its satellites, unless it is late.
    mutating func note(_ location: Location, _ report: ReportedPosition, _ sky: LocationEvent?) {
        guard !location.isLate || position == nil else { return }
        (position, positionSky, kept) = (report, sky, nil)
        if attitudeEvent != nil, location.attitude != nil { attitudeEvent = nil }
    }

    var attitude: Attitude? {
        if case .attitude(let attitude)? = attitudeEvent { attitude } else { nil }
    }

    /// Notes an attitude that the receiver reports by itself, or forgets it without an event.
    mutating func note(attitude event: LocationEvent?) { attitudeEvent = event }

    /// Notes a position that the source has kept; it can be older than one that has been reported.
    mutating func note(kept location: Location, _ event: LocationEvent) {
        let known = kept?.knownLocation ?? position?.location
        if let known = known?.timestamp ?? known?.received, let time = location.timestamp, time <= known { return }
        kept = event
    }
}
