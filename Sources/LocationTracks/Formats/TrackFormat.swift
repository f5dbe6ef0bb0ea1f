import LocationCore

/// A format in which tracks are written.
public struct TrackFormat: Sendable {
    /// The word for the format, such as `gpx`; also the usual extension of its files.
    public let name: String
    /// The name of the format as a sentence has it, such as "GPX".
    public let title: String
    /// The version of the format and its purpose.
    public let summary: String
    /// A Boolean value that indicates whether points list each satellite; see `TrackAssembler`.
    public let keepsSatellites: Bool
    /// A Boolean value that indicates whether `Options.columns` has an effect.
    public let choosesColumns: Bool
    /// How a file of the format is kept whole while it grows.
    let form: FileForm
    private let type: any TrackWriter.Type

    /// Creates a format, which has its place in `allCases`.
    init(
        _ name: String, title: String, summary: String, form: FileForm, keepsSatellites: Bool = false,
        choosesColumns: Bool = false, writer: any TrackWriter.Type
    ) {
        self.name = name
        self.title = title
        self.summary = summary
        self.form = form
        self.keepsSatellites = keepsSatellites
        self.choosesColumns = choosesColumns
        type = writer
    }

    /// Finds a format by its name.
    public init?(named name: String) {
        guard let format = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = format
    }

    /// Returns a writer that has not written anything yet.
    package func writer(_ options: Options = Options()) -> any TrackWriter { type.init(options) }

    /// Returns the options for continuing a file that begins with the given bytes.
    func options(
        _ options: Options, continuing start: [UInt8], of path: String
    ) throws(TrackFileError) -> Options {
        try type.options(options, continuing: start, of: path)
    }
}

extension TrackFormat: CaseIterable {
    /// Every format, in the order in which help lists them.
    public static let allCases: [TrackFormat] = [gpx, geojson, kml, csv, nmea, json]
}

extension TrackFormat: Hashable, CustomStringConvertible {
    /// Returns whether two formats have the same name.
    public static func == (left: TrackFormat, right: TrackFormat) -> Bool { left.name == right.name }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }

    /// The name.
    public var description: String { name }
}

/// How a file of a format is kept whole while it grows.
enum FileForm: Hashable, Sendable {
    /// Lines, each of which is whole by itself; see `AppendingStore`.
    ///
    /// - Parameter start: what each line begins with, which tells a file without a header.
    case lines(start: String = "")
    /// XML that hides what is not complete in processing instructions; see `PlaceholderStore`.
    ///
    /// - Parameter pointEnd: what a point ends with.
    case concealed(pointEnd: String)
    /// GeoJSON's collection of features, which is replaced as a whole; see `RewritingStore`.
    case features
}

extension TrackFormat {
    /// How a track is written.
    public struct Options: Hashable, Sendable {
        /// The program that writes, for formats that name it.
        public var creator: String
        /// The name of the track.
        public var name: String?
        /// The receiver of the track, for files with the tracks of several receivers.
        public var device: String?
        /// Whether the time of the first point follows the name.
        public var namesStart: Bool
        /// GeoJSON: a feature a point, with every field, instead of a line a segment.
        public var pointFeatures: Bool
        /// CSV: the columns; without them a new file has the standard ones, and a continued one keeps its own.
        public var columns: CSVColumns?

        /// Creates the options; without arguments, the ordinary ones.
        public init(
            creator: String = "locwatch", name: String? = nil, device: String? = nil, namesStart: Bool = false,
            pointFeatures: Bool = false, columns: CSVColumns? = nil
        ) {
            self.creator = creator
            self.name = name
            self.device = device
            self.namesStart = namesStart
            self.pointFeatures = pointFeatures
            self.columns = columns
        }

        /// Returns the options of a track that starts at a time.
        func starting(at time: Timestamp?) -> Options {
            guard namesStart, let time, let name else { return self }
            var options = self
            options.name = LocalTime.named(name, time)
            options.namesStart = false
            return options
        }
    }
}
