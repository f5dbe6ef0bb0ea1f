/// The events that a client requests from a provider.
public struct LocationRequest: Hashable, Sendable, Codable {
    /// The largest admitted accuracy, in metres; if set, positions of unknown accuracy are filtered out too.
    public var desiredAccuracy: Double?
    /// The least admitted kind of fix.
    public var minimumFix: FixKind?
    /// The least distance between two positions, in metres.
    public var distanceFilter: Double?
    /// The least time between two positions, by their own times, with half a cycle of the receiver as tolerance.
    public var minimumInterval: Duration?
    /// The greatest admitted age of a position when it arrives.
    public var maximumAge: Duration?
    /// The only requested receiver, or `nil` for all.
    ///
    /// In a fleet, and in a recording, `*` stands for any characters of a name and `?` for one; without a slash it is
    /// compared with the last part of a name.
    public var device: String?
    /// The purpose of the session, which a provider may ignore.
    public var purpose: Purpose
    /// Whether to include the lines of the source, as `LocationEvent.line`; a provider without lines sends none.
    public var includesLines: Bool
    /// Whether to ask the source for comparisons of the host's clock with the receivers', as `LocationEvent.clock`.
    ///
    /// gpsd sends those of the pulses only on request. A recording sends the comparisons that it contains in any case.
    public var includesClock: Bool
    /// The interval at which to query the source for its receivers, because many sources do not report them unasked;
    /// `nil` for never.
    public var deviceInterval: Duration?

    /// Creates a request; omitted criteria do not restrict it.
    public init(
        desiredAccuracy: Double? = nil, distanceFilter: Double? = nil, minimumInterval: Duration? = nil,
        maximumAge: Duration? = nil, minimumFix: FixKind? = nil, device: String? = nil, purpose: Purpose = .updates,
        includesLines: Bool = false, includesClock: Bool = false, deviceInterval: Duration? = nil
    ) {
        self.desiredAccuracy = desiredAccuracy
        self.distanceFilter = distanceFilter
        self.minimumInterval = minimumInterval
        self.maximumAge = maximumAge
        self.minimumFix = minimumFix
        self.device = device
        self.purpose = purpose
        self.includesLines = includesLines
        self.includesClock = includesClock
        self.deviceInterval = deviceInterval
    }

    /// A request for every position of every receiver.
    public static let everything = LocationRequest()

    /// The purpose of a session.
    public enum Purpose: String, Hashable, Sendable, Codable {
        /// Following the position.
        case updates
        /// Obtaining one position.
        case once
        /// Obtaining the authorization.
        case authorization
    }
}
