/// The events that a client requests from a provider.
public struct LocationRequest: Hashable, Sendable {
    /// The largest admitted accuracy, in metres; if set, positions of unknown accuracy are filtered out too.
    public var accuracy: Double?
    /// The least admitted dimensions.
    public var fix: FixKind?
    /// The least distance between two positions, in metres.
    public var distanceFilter: Double?
    /// The least time between two positions, by their own times, with half a cycle of the receiver as tolerance.
    public var minimumInterval: Duration?
    /// The greatest admitted age of a position when it arrives.
    public var maxAge: Duration?
    /// The only requested receiver, or `nil` for all.
    ///
    /// In a fleet, and in a recording, `*` stands for any characters of a name and `?` for one; without a slash it is
    /// compared with the last part of a name.
    public var device: String?
    /// The purpose of the session, which the function that begins it sets, and which a provider may ignore.
    public package(set) var purpose = Purpose.updates
    /// Whether to include the lines of the source, as `LocationEvent.line`; a provider without lines sends none.
    package var includesLines = false
    /// Whether to ask the source for comparisons of the host's clock with the receivers', as `LocationEvent.clock`.
    ///
    /// gpsd sends those of the pulses only on request. A recording sends the comparisons that it contains in any case.
    package var includesClock = false
    /// The interval at which to query the source for its receivers, because many sources do not report them unasked;
    /// `nil` for never.
    package var deviceInterval: Duration?
    /// The requests of the client about a receiver, if it makes any; a source without a daemon ignores them.
    package var control: ReceiverControl?
    /// The time after which a request for one position gives up, which `current(within:)` sets; a session itself has no end.
    public package(set) var limit: Duration?

    /// Creates a request; omitted criteria do not restrict it.
    public init(
        accuracy: Double? = nil, distanceFilter: Double? = nil, minimumInterval: Duration? = nil,
        maxAge: Duration? = nil, fix: FixKind? = nil, device: String? = nil
    ) {
        self.accuracy = accuracy
        self.distanceFilter = distanceFilter
        self.minimumInterval = minimumInterval
        self.maxAge = maxAge
        self.fix = fix
        self.device = device
    }

    /// Creates a request for a session with a purpose, and with a limit if it is for one position.
    package init(
        accuracy: Double? = nil, maxAge: Duration? = nil, fix: FixKind? = nil, device: String? = nil, purpose: Purpose,
        limit: Duration? = nil
    ) {
        self.init(accuracy: accuracy, maxAge: maxAge, fix: fix, device: device)
        self.purpose = purpose
        self.limit = limit
    }

    /// Creates a request for every position that also asks for lines, comparisons of clocks, and the receivers.
    package init(includesLines: Bool = false, includesClock: Bool = false, deviceInterval: Duration? = nil) {
        self.init(purpose: .updates)
        self.includesLines = includesLines
        self.includesClock = includesClock
        self.deviceInterval = deviceInterval
    }

    /// A request for every position of every receiver.
    public static let everything = LocationRequest()

    /// The purpose of a session.
    public enum Purpose: String, Hashable, Sendable {
        /// Following the position.
        case updates
        /// Obtaining one position: the criteria say which one is good enough, and filter nothing out.
        case once
        /// Obtaining the authorization.
        case authorization
    }
}
