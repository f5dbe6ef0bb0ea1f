import GPSDReports
import LocationCore
import LocationTracks

/// The values of the options; an option that was not given has its default, or `nil` if the command decides.
struct Settings: Hashable, Sendable {
    // Output
    var output: OutputFormat
    var columns: CSVColumns?
    var showsStatesOnly = false
    var showsSky = false
    var showsRevisions = false
    var degrees = DegreeStyle.decimal
    var units = Units.metric
    var precision = Precision.decimals(7)
    var color = ColorChoice.auto
    var verbosity = Verbosity.normal
    var usesUTC = false

    // Limits
    var count: Int?
    var timeout: Duration?
    var duration: Duration?

    // Positions
    var accuracy: Double?
    var maximumAge: Duration?
    var distance: Double?
    var interval: Duration?
    var fix: FixKind?
    var device: String?
    var showsAllDevices = false
    var fences: [Fence] = []
    var dwell: Duration?

    // Session
    var pace: ReplayPace?
    var followsFile = false
    var reconnects = true
    var staleAfter: Duration?
    /// The speed in metres per second for points of a track without a time.
    var speed: Double?
    /// The password with which the client signs in at a broker.
    var password: String?

    // record, export
    var overwrites = false
    var outputPath: String?
    var rotation: Rotation?
    var simplification: Double?

    // monitor
    var usesASCII = false

    // watch, publish, web
    var metricsFile: String?

    // stats, devices
    var plot: Plot?
    var followsDevices = false

    // watch, record, export, publish
    var hooks = HookSettings()

    // serve
    var listen: ListenAddress?
    var port: Int?
    var loops = false
    var redates = false

    // web
    var tokenFile: String?
    var tiles: TileURL?

    // publish, once --publish, doctor
    var publishing = PublishSettings()

    // Every command
    var asksForHelp = false
    var asksForVersion = false

    /// Creates the defaults, with a format.
    init(output: OutputFormat) { self.output = output }
}

/// The verbosity of standard error.
enum Verbosity: Int, Comparable, Hashable, Sendable {
    case quiet, normal, verbose

    static func < (left: Verbosity, right: Verbosity) -> Bool { left.rawValue < right.rawValue }
}

/// The age or size at which a log continues in a new file.
enum Rotation: Hashable, Sendable {
    case every(Duration)
    case bytes(Int)
}

/// The destination of the plots.
enum Plot: Hashable, Sendable {
    case terminal
    case file(String)
}

/// The address at which `serve` listens.
struct ListenAddress: Hashable, Sendable {
    var host: String
    var port: Int?
}

/// The shells that have completions.
enum Shell: String, CaseIterable, Hashable, Sendable {
    case bash, zsh, fish
}
