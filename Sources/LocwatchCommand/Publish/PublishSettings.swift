import LocationCore
import LocationPublishing

/// The settings of publishing; an option that was not given has its default, or `nil` if the command decides.
struct PublishSettings: Hashable, Sendable {
    /// The targets, in the order in which they were given.
    var targets: [TargetWord] = []
    /// The options of the targets, without what the machine, files and variables add.
    var options = TargetOptions(hostName: "", version: Version.number, started: Timestamp(secondsSince1970: 0))
    var passwordFile: String?
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
}
