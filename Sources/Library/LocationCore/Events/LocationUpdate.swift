/// An event and its moment.
public struct LocationUpdate: Sendable {
    /// The event.
    public var event: LocationEvent
    /// The moment of the event, on the session's clock.
    public var moment: Moment
    /// The subject that the event is about: the name of a machine, as in a fleet, or `nil` for the machine of the session.
    ///
    /// The recording of a fleet sets it, or ``LocationUpdates/namingSubjects()``. It follows from the event, so it takes no part in
    /// comparisons.
    public internal(set) var subject: String?
    /// The interval of the receiver's reports, as the session that tracks this position has learnt it.
    ///
    /// Like the satellites, it follows from the updates before it, and takes no part in comparisons either.
    package var reportInterval: ReportInterval.Estimate?
    /// Whether the receiver of this position stands still, as the session that tracks it has decided; see `Stillness`.
    package var isStationary = false
    /// The judgement of a filter that stands before an operator, if it has rejected this position.
    package var rejection: Rejection?
    /// The satellites that belong to a position: those of its epoch if they came before it, or else those that the receiver
    /// reported at most ten seconds before.
    ///
    /// For a report of satellites, these are the ones of the event with what such earlier reports add.
    public package(set) var sky: SkyView?

    /// The rejection of a position by a filter whose session changes what the filter admits.
    package enum Rejection: Sendable {
        /// It is not as accurate, as new or of as many dimensions as demanded, so that the session does not have it.
        case unsuitable
        /// It is too close to the last one, or too early: only its state counts.
        case redundant
    }

    /// Creates an update.
    public init(_ event: LocationEvent, at moment: Moment) {
        self.event = event
        self.moment = moment
    }

    /// Creates the update of a position or of satellites, with the satellites that belong to it.
    package init(_ event: LocationEvent, at moment: Moment, sky: SkyView?) {
        self.init(event, at: moment)
        self.sky = sky
    }

    /// Returns the same update about a subject.
    package func about(_ subject: String?) -> LocationUpdate {
        var copy = self
        copy.subject = subject
        return copy
    }

    /// The position, if the event is one.
    public var location: Location? { event.location }
}

extension LocationUpdate: Hashable {
    /// Returns whether two updates have the same event and moment.
    public static func == (left: LocationUpdate, right: LocationUpdate) -> Bool {
        left.moment == right.moment && left.event == right.event
    }

    /// Hashes the event and the moment.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(event)
        hasher.combine(moment)
    }
}
