package import LocationCore

/// A format in which tracks are written.
public struct TrackFormat: Sendable {
    /// The word for the format, such as `gpx`; also the usual extension of its files.
    public let name: String
    /// The name of the format within a sentence, such as "GPX".
    package let title: String
    /// The version of the format and its purpose.
    package let summary: String
    /// A Boolean value that indicates whether points list each satellite; see `TrackAssembler`.
    public let keepsSatellites: Bool
    /// A Boolean value that indicates whether `Options.columns` has an effect.
    package let choosesColumns: Bool
    /// The way a file of the format stays complete while it grows.
    let form: FileForm
    private let type: any TrackWriter.Type

    /// Creates a format to be listed in `allCases`.
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

/// The way a file of a format stays complete while it grows.
enum FileForm: Hashable, Sendable {
    /// Lines, each complete by itself; see `AppendingStore`.
    ///
    /// - Parameter start: The start of every line, which identifies a file without a header.
    case lines(start: String = "")
    /// XML that hides incomplete content in processing instructions; see `PlaceholderStore`.
    ///
    /// - Parameter pointEnd: The text that ends a point, or a group of points.
    case concealed(pointEnd: String)
    /// GeoJSON's collection of features, which is replaced as a whole; see `RewritingStore`.
    case features
}

extension TrackFormat {
    /// The options for writing a track.
    public struct Options: Hashable, Sendable {
        /// The name of the writing program, for formats that contain it.
        public var creator: String
        /// The name of the track.
        public var name: String?
        /// The receiver of the track, for files with the tracks of several receivers.
        public var device: String?
        /// Whether the time of the first point is appended to the name.
        public var namesStart: Bool
        /// Whether GeoJSON has a feature with every field for each point, instead of a line for each segment.
        public var pointFeatures: Bool
        /// The columns of CSV; without them a new file has the standard ones, and a resumed file keeps its own.
        public var columns: CSVColumns?
        /// The types of sentences of NMEA.
        package var sentences = NMEASentenceType.usual

        /// Creates options, by default without a name.
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
