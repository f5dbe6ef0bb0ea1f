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
    public var lastLocation: Location? { record.position }
    /// The last report of satellites, with what those of the ten seconds before it add.
    public var sky: SkyView? { record.sky }
    /// The attitude of the receiver, of its current position or as it was reported later by itself, until the receiver is lost.
    public var attitude: Attitude? { record.attitude ?? state.location?.attitude }
    /// The last report of the receiver about itself.
    public var status: DeviceStatus? { record.status }
}

/// The latest reports of a receiver.
package struct ReceiverRecord: Sendable {
    /// The newest reported position.
    private(set) var position: Location?
    /// A position that the source has kept, unless the receiver has reported a newer one.
    private var kept: Location?
    /// The last report of satellites.
    var sky: SkyView?
    /// The satellites of the reported position, if any.
    private(set) var positionSky: SkyView?
    /// The last attitude that the receiver has reported by itself, unless a position with one followed.
    @HeapOptional private(set) var attitude: Attitude?
    /// The last report of the receiver about itself.
    @HeapOptional package var status: DeviceStatus?

    /// The newest known position, which can be one that the source has kept from before the session, and then has no time of
    /// arrival.
    package var knownLocation: Location? {
        guard var location = kept else { return position }
        location.received = nil
        return location
    }

    /// Creates the record of a receiver that has not reported anything.
    package init() {}

    /// Notes a position with its satellites, unless it is late.
    mutating func note(_ location: Location, _ sky: SkyView?) {
        guard !location.isLate || position == nil else { return }
        (position, positionSky, kept) = (location, sky, nil)
        if attitude != nil, location.attitude != nil { attitude = nil }
    }

    /// Notes an attitude that the receiver reports by itself, or forgets it.
    mutating func note(attitude new: Attitude?) { attitude = new }

    /// Notes a position that the source has kept; it can be older than one that has been reported.
    mutating func note(kept location: Location) {
        let known = kept ?? position
        if let known = known?.timestamp ?? known?.received, let time = location.timestamp, time <= known { return }
        kept = location
    }
}
