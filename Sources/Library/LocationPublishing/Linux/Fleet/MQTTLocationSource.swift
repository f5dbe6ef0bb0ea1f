public import LocationCore
import GPSDProtocol

/// A location provider that reads the positions of a fleet from an MQTT broker.
///
/// A device is a topic, such as `owntracks/anna/boat`. It may publish the JSON of OwnTracks, the attributes of a device
/// tracker of Home Assistant, or the JSON of `locwatch`. Each position is delivered once, and one that is older than an
/// earlier one is late. A position that the broker has kept is delivered as a notice of the code `lastKnown`, because it may be from
/// long ago. When the broker says that a device is offline, its position is lost.
///
/// Each session has its own connection. For a task it also has its own thread, which a slow consumer never delays.
public struct MQTTLocationSource: LocationProvider {
    /// The filter for the topics of OwnTracks.
    public static let standardFilter = "owntracks/+/+"

    /// The number of positions that wait for a slow task: two from each of ten thousand devices.
    private static let capacity = 20_000

    /// The address of the broker, and how the client signs in.
    package let settings: MQTTSettings
    /// The filter for the topics of the devices.
    package let filter: String
    private let options: SessionOptions

    /// Whether a session reconnects after a failure; if not, the failure ends it.
    package var reconnects: Bool { options.reconnects }

    /// Creates a source for the devices whose topics match a filter.
    ///
    /// - Parameters:
    ///   - settings: The address of the broker, and how the client signs in. Each session needs a name of its own, so the name
    ///     of the client is used as the beginning of a name.
    ///   - filter: The filter for the topics, with `+` and `#` as in MQTT. The topics `/event` and `/status` below each
    ///     topic are read too.
    ///   - reconnects: Whether a session reconnects after a failure; if not, the failure ends it.
    public init(_ settings: MQTTSettings, filter: String = Self.standardFilter, reconnects: Bool = true) {
        var options = SessionOptions()
        options.reconnects = reconnects
        self.init(settings, filter: filter, options: options)
    }

    /// Creates a source for the devices whose topics match a filter, with session options.
    package init(_ settings: MQTTSettings, filter: String, options: SessionOptions) {
        self.settings = settings
        self.filter = filter
        self.options = options
    }

    /// Returns the updates of a new connection.
    public func updates(for request: LocationRequest) -> LocationUpdates {
        let filters = FleetTopic.filters(covering: filter)
        let pattern = request.device
        return LocationUpdates(for: request, on: options.startClock, .drops(capacity: Self.capacity)) {
            [settings, options] clock in
            var settings = settings
            settings.clientID = Self.sessionName(settings.clientID)
            return BrokerSource(
                settings, filters: filters, devices: FleetDevices(matching: pattern), options: options, clock: clock)
        } orThrow: { [settings] failure in
            LocationError(.other(cause: "\(failure)"), settings)
        }.namingSubjects()
    }

    /// Returns the name of a client for one session: a broker ends the connection of another client with the same name.
    private static func sessionName(_ prefix: String) -> String {
        let digits = String(UInt32.random(in: 0...UInt32.max), radix: 36)
        // Brokers may refuse a name of more than 23 characters.
        return String(prefix.prefix(22 - digits.count)) + "-" + digits
    }
}
