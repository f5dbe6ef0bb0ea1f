// Held by reference: an event is handed on many times, and a position is large.
/// One thing that a provider has to tell; problems are events, and only what ends the session is thrown.
public indirect enum LocationEvent: Hashable, Sendable, Codable {
    /// A position.
    case location(Location)
    /// No position now, and why; `device` is the receiver that is meant, `nil` where it is the session as a whole.
    case searching(SearchReason, device: String? = nil)
    /// Something failed; the provider continues, and tries again after `retry` if that is known.
    case failure(LocationError, retry: Duration? = nil)
    /// The satellites.
    case satellites(SkyView)
    /// A receiver has appeared or changed.
    case device(DeviceStatus)
    /// Whether positions may be had at all.
    case authorization(AuthorizationStatus)
    /// A report of a receiver that is neither a position nor the lack of one.
    case receiver(ReceiverReport)
    /// A line of the source as it came, for a request with `includesLines`; the events that it causes follow it.
    case line([UInt8])
    /// Something that a careful user wants to know, and that changes no state.
    case notice(Notice)

    /// The receiver that the event is about, where it is about one.
    public var device: String? {
        switch self {
        case .location(let location): location.device
        case .searching(_, let device): device
        case .satellites(let sky): sky.device
        case .device(let status): status.path
        case .receiver(let report): report.device
        case .failure, .authorization, .line, .notice: nil
        }
    }
}

/// An event and when it happened.
public struct LocationUpdate: Hashable, Sendable, Codable {
    /// What happened.
    public var event: LocationEvent
    /// When, on the session's clock.
    public var moment: Moment

    /// An event at a moment.
    public init(_ event: LocationEvent, at moment: Moment) {
        self.event = event
        self.moment = moment
    }
}

/// What a receiver reports besides its position, such as the state of its antenna.
///
/// A receiver without a fix sends these; with a fix they are among the `details` of its locations.
public struct ReceiverReport: Hashable, Sendable, Codable {
    /// The receiver.
    public var device: String?
    /// The state of the antenna, as gpsd numbers it: 2 is open, 3 is short.
    public var antennaStatus: Int?
    /// The level of interference, from 0 to 255.
    public var jamming: Int?

    /// A report of a receiver.
    public init(device: String? = nil, antennaStatus: Int? = nil, jamming: Int? = nil) {
        self.device = device
        self.antennaStatus = antennaStatus
        self.jamming = jamming
    }
}

/// Whether positions may be had.
public enum AuthorizationStatus: String, Hashable, Sendable, Codable {
    /// Nobody has asked yet.
    case notDetermined
    /// Positions may be had.
    case authorized
    /// The daemon or the device refuses.
    case denied
}

/// Something that a careful user wants to know, and that changes no state.
public enum Notice: Hashable, Sendable, Codable {
    /// Lines that could not be understood and were skipped.
    case linesSkipped(count: Int, cause: String)
    /// Events that were dropped, the oldest first, because the consumer was too slow.
    case dropped(locations: Int, skyViews: Int, others: Int = 0)
    /// A date that cannot be, such as one a GPS week rollover away.
    case implausibleDate(Timestamp, device: String?)
    /// A value that a field cannot have and that counts as unknown; told once for each field of a device.
    case implausibleValue(field: String, device: String?)
    /// A recording that ends in the middle of a line.
    case tornEnd(bytes: Int)
    /// A message for people from the provider.
    case message(String)
}
