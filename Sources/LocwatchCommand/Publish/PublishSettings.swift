import LocationPublishing

/// The settings of publishing; an option that was not given has its default, or `nil` if the command decides.
struct PublishSettings: Hashable, Sendable {
    /// The targets, in the order in which they were given.
    var targets: [TargetWord] = []
    /// The path of the configuration.
    var configuration: String?
    /// Whether the settings are only checked and shown.
    var checksOnly = false

    // When to publish
    var angle: Double?
    var heartbeat: Duration?

    // The queue
    var queueFolder: String?
    var usesQueueFolder = true
    var queueSize: Int?
    var queueAge: Duration?
    var backlogRate: BacklogRate?
    var sendsBacklog = true
    var skipsRejected = false

    // Targets
    var deviceName: String?
    var trackerID: String?
    var clientID: String?
    var discoveryPrefix: MQTTTopic?
    var headers: [HTTPHeaderField] = []
    var method: HTTPMethod?
    var body: PublishTemplate?
    var passwordFile: String?
    var authorityFile: String?
    var certificateFile: String?
    var keyFile: String?
}

/// The number of old records that are sent per second after an outage.
enum BacklogRate: Hashable, Sendable {
    case perSecond(Int)
    case unlimited
}

/// A header of HTTP requests from the command line.
struct HTTPHeaderField: Hashable, Sendable {
    var name: String
    var value: String
}
