/// An event of a provider; problems are events too, and only an error that ends the session is thrown.
///
/// A later release can have more cases. A `switch` therefore ends with `default`, which also covers ``other(_:)``: what a
/// client does not know, it ignores.
///
/// ```swift
/// switch update.event {
/// case .location(let location): show(location)
/// case .searching(let reason, _): show(reason.description)
/// default: break
/// }
/// ```
public enum LocationEvent: Hashable, Sendable {
    /// A position.
    case location(Location)
    /// There is no position; `device` is the receiver, or `nil` for the session as a whole.
    indirect case searching(SearchReason, device: String? = nil)
    /// An error occurred; the provider continues, and retries after `retry`, if known.
    indirect case failure(LocationError, retry: Duration? = nil)
    /// The satellites in view.
    case satellites(SkyView)
    /// The attitude of a receiver that belongs to none of its positions, such as that of a compass without any.
    ///
    /// An attitude that belongs to a position is in ``Location/heading`` and the properties beside it.
    indirect case attitude(Attitude)
    /// A receiver appeared or changed.
    indirect case device(DeviceStatus)
    /// The authorization to receive positions.
    case authorization(AuthorizationStatus)
    /// A report of a receiver about itself, such as the state of its antenna, which changes no state.
    indirect case receiver(ReceiverReport)
    /// A comparison of the host's clock with a receiver's time; which `locwatch time` asks for.
    indirect case clock(ClockSample)
    /// A line of the source, unchanged, for a provider that records the session; the events that it causes follow it.
    case line([UInt8])
    /// Information that does not change the state.
    indirect case notice(Notice)
    /// Another event, by its name: one of a provider of your own.
    case other(String)

    /// The receiver that the event concerns, if any.
    public var device: String? {
        switch self {
        case .location(let location): location.device
        case .searching(_, let device): device
        case .satellites(let sky): sky.device
        case .attitude(let attitude): attitude.device
        case .device(let status): status.path
        case .receiver(let report): report.device
        case .clock(let sample): sample.device
        case .notice(let notice): notice.device
        case .failure, .authorization, .line, .other: nil
        }
    }
}

extension LocationEvent {
    /// Returns the event of a notice with a content.
    package static func notice(_ content: Notice.NoticeContent) -> LocationEvent { .notice(Notice(content)) }

    package var name: String {
        switch self {
        case .location: "location"
        case .searching: "searching"
        case .failure: "failure"
        case .satellites: "satellites"
        case .attitude: "attitude"
        case .device: "device"
        case .authorization: "authorization"
        case .receiver: "receiver"
        case .clock: "clock"
        case .line: "line"
        case .notice: "notice"
        case .other(let name): name
        }
    }

    package var notice: Notice.NoticeContent? { if case .notice(let notice) = self { notice.content } else { nil } }

    /// The position, if the event is one.
    public var location: Location? {
        if case .location(let location) = self { location } else { nil }
    }

    /// The satellites, if the event is a report of them.
    package var skyView: SkyView? { if case .satellites(let sky) = self { sky } else { nil } }

    /// The position that the event tells, be it a new one or one that the source has kept.
    package var knownLocation: Location? {
        if case .lastKnown(let location) = notice { location } else { location }
    }
}

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

/// A report of a receiver about itself, such as the state of its antenna.
///
/// A receiver sends these without a fix; with a fix its locations have the values.
public struct ReceiverReport: Hashable, Sendable {
    package var device: String?
    /// The state of the antenna, as gpsd numbers it: 2 is open, 3 is short.
    package var antennaStatus: Int?
    /// The level of interference, from 0 to 255.
    package var jamming: Int?

    package init(device: String? = nil, antennaStatus: Int? = nil, jamming: Int? = nil) {
        self.device = device
        self.antennaStatus = antennaStatus
        self.jamming = jamming
    }
}

/// The authorization to receive positions.
public enum AuthorizationStatus: String, Hashable, Sendable {
    /// Not requested yet.
    case notDetermined
    /// Positions are available.
    case authorized
    /// The daemon or the device denies access.
    case denied
}
