import GPSDReports
import LocationCore
import LocationTracks

/// What the options say, typed; what was not said has its default, or is `nil` where the command decides.
struct Settings: Hashable, Sendable {
    // What comes out
    var output = Output.text
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

    // When it ends
    var count: Int?
    var timeout: Duration?
    var duration: Duration?

    // Which positions
    var accuracy: Double?
    var maximumAge: Duration?
    var distance: Double?
    var interval: Duration?
    var fix: FixKind?
    var device: String?
    var showsAllDevices = false
    var fences: [Fence] = []
    var dwell: Duration?

    // The session
    var pace: ReplayPace?
    var reconnects = true
    var staleAfter: Duration?

    // record, export
    var overwrites = false
    var outputPath: String?
    var rotation: Rotation?
    var simplification: Double?

    // stats, devices
    var plot: Plot?
    var followsDevices = false

    // serve
    var listen: ListenAddress?
    var port: Int?
    var loops = false
    var redates = false

    // Any command
    var asksForHelp = false
    var asksForVersion = false
}

/// The form of what comes out.
enum Output: Hashable, Sendable {
    case text
    case json
    case csv
    case template(Template)
}

/// How angles of latitude and longitude are written.
enum DegreeStyle: String, CaseIterable, Hashable, Sendable {
    /// 45.0736120
    case decimal = "d"
    /// 45°04.41672'N
    case minutes = "dm"
    /// 45°04'25.003"N
    case seconds = "dms"
}

/// The units that people read.
enum Units: String, CaseIterable, Hashable, Sendable {
    case metric, imperial, nautical
}

/// How exactly coordinates are written.
enum Precision: Hashable, Sendable {
    /// With so many decimals of a degree.
    case decimals(Int)
    /// As the shortest text that reads back as the same number.
    case full
}

/// Whether colour is wanted.
enum ColorChoice: String, CaseIterable, Hashable, Sendable {
    case auto, always, never
}

/// How much is said on standard error.
enum Verbosity: Int, Comparable, Hashable, Sendable {
    case quiet, normal, verbose

    static func < (left: Verbosity, right: Verbosity) -> Bool { left.rawValue < right.rawValue }
}

/// When a log goes on in another file.
enum Rotation: Hashable, Sendable {
    case every(Duration)
    case bytes(Int)
}

/// Where a picture of the session goes.
enum Plot: Hashable, Sendable {
    case terminal
    case file(String)
}

/// Where `serve` listens.
struct ListenAddress: Hashable, Sendable {
    var host: String
    var port: Int?
}

/// The shells that have completions.
enum Shell: String, CaseIterable, Hashable, Sendable {
    case bash, zsh, fish
}
