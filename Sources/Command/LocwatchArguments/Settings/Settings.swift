package import LocationCore
import LocationPublishing
package import LocationRecordings
package import LocationTracks
package import LocwatchTerminal

/// The values of the options; an option that was not given has its default, or `nil` if the command decides.
package struct Settings: Hashable, Sendable {
    // Output
    package var output: OutputFormat
    /// The columns of CSV, or the sentences of NMEA.
    package var chosenColumns: ChosenColumns?
    package var columns: CSVColumns? { if case .csv(let columns) = chosenColumns { columns } else { nil } }
    package var sentences: Set<NMEASentenceType>? {
        if case .sentences(let types) = chosenColumns { types } else { nil }
    }
    package var omitsHeader = false
    package var showsStatesOnly = false
    package var showsSky = false
    package var degrees = DegreeStyle.decimal
    package var units = Units.metric
    /// The precision of coordinates, if chosen.
    package var chosenPrecision: Precision?
    /// The precision of coordinates, except in CSV.
    package var precision: Precision { chosenPrecision ?? .decimals(7) }
    package var color = ColorChoice.auto
    package var verbosity = Verbosity.normal
    package var usesUTC = false

    // Limits
    package var count: Int?
    package var timeout: Duration?
    package var duration: Duration?

    // Positions
    package var accuracy: Double?
    package var maxAge: Duration?
    package var distance: Double?
    package var interval: Duration?
    package var fix: FixKind?
    package var device: String?
    /// The device if it is the path of one receiver, and not a pattern or the end of a path.
    package var devicePath: String? { device.flatMap { NamePattern($0).isPath ? $0 : nil } }
    package var showsAllDevices = false
    package var fences: [Fence] = []
    /// The point whose place is known.
    package var reference: ReferencePoint?

    // Session
    /// The source, which advice repeats.
    package var source = SourceWord.standard
    package var pace: ReplayPace?
    /// Whether more of a file is waited for, or changes of the list of devices are shown.
    package var follows = false
    package var reconnects = true
    package var staleAfter: Duration?
    /// The password with which the client signs in at a broker or a caster.
    package var password: String?

    // record, export
    package var overwrites = false
    package var outputPath: String?
    package var rotation: TrackRotation?
    package var simplification: Double?

    // monitor
    package var usesASCII = false

    // watch, publish, web
    package var metricsFile: String?

    // stats, devices
    package var plot: Plot?

    // watch, record, export, publish
    package var hooks = HookSettings()

    // serve
    package var listen: ListenAddress?
    package var port: Int?
    package var loops = false
    package var redates = false
    package var testing = TestSettings()

    // web
    package var tokenFile: String?
    package var tiles: TileURL?

    // publish, once --to, doctor
    package var publishing = PublishSettings()

    // Every command
    /// Whether only the examples and the options that matter most are shown.
    package var wantsBriefHelp = false
    /// The path of the configuration that was read, if any.
    package var configuration: String?
    /// The reason why the user's own configuration is not read, although there may be one.
    package var configurationObstacle: String?

    /// The files of certificates and keys that the words name.
    package var certificates: [String] {
        publishing.targets.flatMap(\.encryption.files) + (source.source.fleet?.encryption.files ?? [])
    }

    /// Creates the defaults, with a format.
    package init(output: OutputFormat) { self.output = output }
}

/// The verbosity of standard error.
package enum Verbosity: Int, Comparable, Hashable, Sendable {
    case quiet, normal, verbose

    package static func < (left: Verbosity, right: Verbosity) -> Bool { left.rawValue < right.rawValue }
}

/// The destination of the plots.
package enum Plot: Hashable, Sendable {
    case terminal
    case file(String)
}

/// The address at which `serve` listens.
package struct ListenAddress: Hashable, Sendable {
    package var host: String
    package var port: Int?
}

/// The shells that have completions.
package enum Shell: String, CaseIterable, Hashable, Sendable {
    case bash, zsh, fish
}
