/// What somebody wants to be told about.
public struct LocationRequest: Hashable, Sendable, Codable {
    /// Pass on only positions at least as accurate as this, metres; those of unknown accuracy are held back.
    public var desiredAccuracy: Double?
    /// Pass on a position only when it lies at least so far from the last one, metres.
    public var distanceFilter: Double?
    /// Pass on positions at most so often, by their own times, with half a cycle of the receiver as tolerance.
    public var minimumInterval: Duration?
    /// Pass on only positions that were at most so old when they arrived.
    public var maximumAge: Duration?
    /// Only this receiver.
    public var device: String?
    /// What the session is for; a provider may answer each alike.
    public var purpose: Purpose
    /// Whether the lines of the source are wanted too, as `LocationEvent.line`; a provider without lines sends none.
    public var includesLines: Bool
    /// How often to ask the source for its receivers, which many sources do not report by themselves; `nil` is never.
    public var deviceInterval: Duration?

    /// A request; what is left out does not matter.
    public init(
        desiredAccuracy: Double? = nil, distanceFilter: Double? = nil, minimumInterval: Duration? = nil,
        maximumAge: Duration? = nil, device: String? = nil, purpose: Purpose = .updates, includesLines: Bool = false,
        deviceInterval: Duration? = nil
    ) {
        self.desiredAccuracy = desiredAccuracy
        self.distanceFilter = distanceFilter
        self.minimumInterval = minimumInterval
        self.maximumAge = maximumAge
        self.device = device
        self.purpose = purpose
        self.includesLines = includesLines
        self.deviceInterval = deviceInterval
    }

    /// Every position of every receiver.
    public static let everything = LocationRequest()

    /// What a session is for.
    public enum Purpose: String, Hashable, Sendable, Codable {
        /// To follow the position.
        case updates
        /// To learn one position.
        case once
        /// To learn whether positions may be had.
        case authorization
    }
}
