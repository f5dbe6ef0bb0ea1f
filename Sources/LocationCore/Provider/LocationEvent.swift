// Indirect because an event is passed on many times and a position is large.
/// An event of a provider; problems are events too, and only an error that ends the session is thrown.
public indirect enum LocationEvent: Hashable, Sendable, Codable {
    /// A position.
    case location(Location)
    /// There is no position; `device` is the receiver, or `nil` for the session as a whole.
    case searching(SearchReason, device: String? = nil)
    /// An error occurred; the provider continues, and retries after `retry`, if known.
    case failure(LocationError, retry: Duration? = nil)
    /// The satellites in view.
    case satellites(SkyView)
    /// A receiver appeared or changed.
    case device(DeviceStatus)
    /// The authorization to receive positions.
    case authorization(AuthorizationStatus)
    /// A report of a receiver about itself, such as the state of its antenna, which changes no state.
    case receiver(ReceiverReport)
    /// A comparison of the host's clock with a receiver's time; see `LocationRequest.includesClock`.
    case clock(ClockSample)
    /// A line of the source, unchanged, for a request with `includesLines`; the events that it causes follow it.
    case line([UInt8])
    /// Information that does not change the state.
    case notice(Notice)

    /// The receiver that the event concerns, if any.
    public var device: String? {
        switch self {
        case .location(let location): location.device
        case .searching(_, let device): device
        case .satellites(let sky): sky.device
        case .device(let status): status.path
        case .receiver(let report): report.device
        case .clock(let sample): sample.device
        case .notice(let notice): notice.device
        case .failure, .authorization, .line: nil
        }
    }
}

extension LocationEvent {
    /// The position, if the event is one.
    public var location: Location? {
        if case .location(let location) = self { location } else { nil }
    }
}

/// An event and its moment.
public struct LocationUpdate: Hashable, Sendable, Codable {
    /// The event.
    public var event: LocationEvent
    /// The moment of the event, on the session's clock.
    public var moment: Moment

    /// Creates an update.
    public init(_ event: LocationEvent, at moment: Moment) {
        self.event = event
        self.moment = moment
    }

    /// The position, if the event is one.
    public var location: Location? { event.location }
}

/// A report of a receiver about itself, such as the state of its antenna.
///
/// A receiver sends these without a fix; with a fix the values are in the `details` of its locations.
public struct ReceiverReport: Hashable, Sendable, Codable {
    /// The receiver.
    public var device: String?
    /// The state of the antenna, as gpsd numbers it: 2 is open, 3 is short.
    public var antennaStatus: Int?
    /// The level of interference, from 0 to 255.
    public var jamming: Int?

    /// Creates a report of a receiver.
    public init(device: String? = nil, antennaStatus: Int? = nil, jamming: Int? = nil) {
        self.device = device
        self.antennaStatus = antennaStatus
        self.jamming = jamming
    }
}

/// The authorization to receive positions.
public enum AuthorizationStatus: String, Hashable, Sendable, Codable {
    /// Not requested yet.
    case notDetermined
    /// Positions are available.
    case authorized
    /// The daemon or the device denies access.
    case denied
}

/// Information about a session that does not change its state.
public enum Notice: Hashable, Sendable, Codable {
    /// Lines that could not be parsed were skipped.
    case linesSkipped(count: Int, cause: String)
    /// Events were dropped, the oldest first, because the consumer was too slow.
    case dropped(locations: Int, skyViews: Int, others: Int = 0)
    /// A date is impossible, such as one that is a GPS week rollover away.
    case implausibleDate(Timestamp, device: String?)
    /// A field had an impossible value, which counts as unknown; reported once for each field of a device.
    case implausibleValue(field: String, device: String?)
    /// A recording ends in the middle of a line.
    case tornEnd(bytes: Int)
    /// The last position that the source has kept of a device, which may be from long before the session.
    case lastKnown(Location)
    /// An event at a fence that the device itself monitors.
    case fence(FenceEvent)
    /// A device sends messages that are not understood; reported once for each device.
    case unknownMessage(device: String, cause: String)
    /// Messages were skipped; `count` is the number since the session began.
    case messagesSkipped(count: Int, cause: String)
    /// A message for people from the provider.
    case message(String)

    /// The device that the information concerns, if it selects the device's events.
    var device: String? {
        switch self {
        case .lastKnown(let location): location.device
        case .fence(let event): event.device
        case .unknownMessage(let device, _): device
        case .linesSkipped, .dropped, .implausibleDate, .implausibleValue, .tornEnd, .messagesSkipped, .message: nil
        }
    }
}
