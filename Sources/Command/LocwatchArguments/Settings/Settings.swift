package import LocationCore
import LocationPublishing
package import GPSDProtocol
package import LocationTracks
import LocwatchTerminal

/// The values of the options; an option that was not given has its default, or `nil` if the command decides.
///
/// Each is in one group, which is taken whole: what the session is asked for, what is shown of it, its limits, how the source is
/// read, or what is done beside; files, servers and targets have groups of their own.
package struct Settings: Hashable, Sendable {
    /// The source, which advice repeats.
    package var source = SourceWord.standard
    /// The positions that are asked for, and the receiver.
    package var request = LocationRequest.everything
    package var fences: [Fence] = []
    package var output: OutputSettings
    package var limits = SessionLimits()
    package var reading = ReadingSettings()
    package var reactions = ReactionSettings()
    package var file = FileSettings()
    package var serving = ServingSettings()
    package var publishing = PublishSettings()
    /// The path of the configuration that was read, if any.
    package var configuration: String?
    /// The reason why the user's own configuration is not read, although there may be one.
    package var configurationObstacle: String?

    /// The device if it is the path of one receiver, and not a pattern or the end of a path.
    package var devicePath: String? { request.device.flatMap { NamePattern($0).isPath ? $0 : nil } }

    /// The files of certificates and keys that the words name.
    package var certificates: [String] {
        publishing.targets.flatMap(\.encryption.files) + source.certificates
    }

    package init(output format: OutputFormat) { output = OutputSettings(format: format) }
}

/// The limits of a session: when it ends, and how long a position counts.
package struct SessionLimits: Hashable, Sendable {
    package var count: Int?
    package var timeout: Duration?
    package var duration: Duration?
    package var staleAfter: Duration?
    /// The duration of the standstill whose mean is asked for.
    package var average: Duration?
}

/// The way in which the source is read.
package struct ReadingSettings: Hashable, Sendable {
    package var pace: ReplayPace?
    /// Whether more of a file is waited for, or changes of the list of devices are shown.
    package var follows = false
    package var reconnects = true
    /// The rate of the receiver that is asked for, or to be shown.
    package var rate: RateChoice?
    /// The times at which positions are looked up in a recording.
    package var times = RequestedTimes()
    /// The words of `--at`, with which release 0.5 asked for times.
    package var formerTimes: [String] = []
    /// The password with which the client signs in at a broker or a caster.
    package var password: String?
}

/// The reactions to a session, beside its output.
package struct ReactionSettings: Hashable, Sendable {
    package var hooks: [Hook] = []
    /// The time after which the command of a hook is ended.
    package var hookLimit = Duration.seconds(30)
    /// Whether a recording runs hooks, which it does when its pace was chosen.
    package var runsHooksOnReplay = false
    package var metricsFile: String?
    /// The path of the file with the distance of all sessions and the states of the fences.
    package var state: String?

    /// The files that are kept up to date while the session lasts.
    package var keptFiles: [String] { [metricsFile, state].compactMap(\.self) }
}

/// The file that `record` or `export` writes.
package struct FileSettings: Hashable, Sendable {
    package var path: String?
    package var overwrites = false
    package var rotation: TrackRotation?
    package var simplification: Double?
}
