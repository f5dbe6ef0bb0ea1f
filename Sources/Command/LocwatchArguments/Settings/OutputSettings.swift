package import LocationCore
package import LocationTracks
package import LocwatchTerminal

/// The output of a session: its format, the events that it shows, and their style.
package struct OutputSettings: Hashable, Sendable {
    package var format: OutputFormat
    package var events = EventSelection()
    package var columns: CSVColumns?
    package var sentences: Set<NMEASentenceType>?
    /// Whether the sentences are those of `--columns`, as in release 0.5.
    package var hasSentencesInColumns = false
    package var omitsHeader = false
    package var degrees = DegreeStyle.decimal
    package var units = Units.metric
    package var chosenPrecision: Precision?
    package var color = ColorChoice.auto
    package var usesUTC = false
    package var usesASCII = false
    package var plot: Plot?
    package var verbosity = Verbosity.normal { didSet { events.details = verbosity == .verbose } }
    /// Whether only the examples and the options that matter most are shown by `help`.
    package var wantsBriefHelp = false
    /// Whether `doctor` prints one text for a bug report.
    package var wantsReport = false

    package init(format: OutputFormat) { self.format = format }

    package func carries(_ content: OutputFormat.FormatContent) -> Bool { format.carries(content) }

    /// Whether the output has the distance of the session, by its format or by a column.
    package var showsDistance: Bool { carries(.distance) || (columns?.names.contains("distance") ?? false) }
    /// The precision of coordinates, except in CSV.
    package var precision: Precision { chosenPrecision ?? .decimals(7) }
}

/// The verbosity of standard error.
package enum Verbosity: Comparable, Hashable, Sendable {
    case quiet, normal, verbose
}

package enum Plot: Hashable, Sendable {
    case terminal
    case file(String)

    package var path: String? { if case .file(let path) = self { path } else { nil } }
}
