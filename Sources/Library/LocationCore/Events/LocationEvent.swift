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
