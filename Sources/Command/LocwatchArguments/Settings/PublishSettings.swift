import LocationCore
package import LocationPublishing
import LocwatchTerminal

/// The settings of publishing; an option that was not given has its default, or `nil` if the command decides.
package struct PublishSettings: Hashable, Sendable {
    /// The targets, in the order in which they were given.
    package var targets: [TargetWord] = []
    /// The options of the targets, without what the machine, files and variables add.
    package var options = TargetOptions(hostName: "", version: Version.number, started: Timestamp(secondsSince1970: 0))
    package var passwordFile: String?
    /// Whether each target gets only the newest record after an outage.
    package var sendsNewestOnly = false
    /// Whether the settings are only checked and shown.
    package var checksOnly = false

    // When to publish
    package var angle: Double?
    package var heartbeat: Duration?

    // The queue
    package var queueFolder: String?
    package var usesQueueFolder = true
    package var queueLimits = QueueLimits()
}
