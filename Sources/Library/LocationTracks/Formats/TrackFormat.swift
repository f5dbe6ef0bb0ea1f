package import LocationCore

/// A format in which tracks are written.
public struct TrackFormat: Sendable {
    /// The word for the format, such as `gpx`.
    public let name: String
    /// The usual extension of its files.
    package var fileExtension: String { self == .gpsd ? "json" : name }
    /// The name of the format within a sentence, such as "GPX".
    package let title: String
    /// The version of the format and its purpose.
    package let summary: String
    /// The place in which the format names receivers.
    package let receivers: ReceiverNaming
    /// A Boolean value that indicates whether points list each satellite; see `TrackAssembler`.
    public internal(set) var keepsSatellites = false
    /// A Boolean value that indicates whether `Options.columns` has an effect.
    package var choosesColumns = false
    /// A Boolean value that indicates whether `Options.sentences` has an effect.
    package var choosesSentences = false
    let type: any TrackWriter.Type

    /// Whether the format has the names of the tracks of a file that is read.
    package var namesTracks: Bool { [.gpx, .kml, .geojson].contains(self) }

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
    public static let allCases: [TrackFormat] = [gpx, geojson, kml, csv, nmea, gpsd, influx]

    /// Finds a format by its name.
    public init?(named name: String) {
        guard let format = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = format
    }
}

extension TrackFormat: Hashable, CustomStringConvertible {
    /// Returns whether two formats have the same name.
    public static func == (left: TrackFormat, right: TrackFormat) -> Bool { left.name == right.name }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }

    /// The name.
    public var description: String { name }
}

/// The place in which a format names receivers.
///
/// No case stands for several tracks without names: a reader could not tell the receivers apart.
package enum ReceiverNaming: Sendable {
    /// Nowhere, so a file has the track of one receiver.
    case nowhere
    /// At each track, so the text of a track is contiguous.
    case inTracks
    /// At each point or feature, so those of several receivers can follow each other in any order.
    case inPoints
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
        /// The name of the track in the file from which it is read, which stays as it is.
        package var trackName: String?
        /// Whether the time of the first point is appended to the name.
        package var namesStart = false
        /// Whether GeoJSON has a feature with every field for each point, instead of a line for each segment.
        public var pointFeatures: Bool
        /// The columns of CSV; without them a new file has the standard ones, and a resumed file keeps its own.
        package var columns: CSVColumns?
        /// Whether CSV has no line with the names of the columns.
        package var omitsHeader = false
        package var sentences = NMEASentenceType.usual
        /// Whether the times in names are in UTC.
        package var usesUTC = false

        /// Creates options, by default without a name.
        public init(
            creator: String = "locwatch", name: String? = nil, device: String? = nil, pointFeatures: Bool = false
        ) {
            self.creator = creator
            self.name = name
            self.device = device
            self.pointFeatures = pointFeatures
        }

        /// Creates options for a track with a name, and with the columns of CSV.
        package init(name: String? = nil, namesStart: Bool = false, columns: CSVColumns?) {
            self.init(name: name)
            self.namesStart = namesStart
            self.columns = columns
        }

        /// Returns the options of a track that starts at a time.
        func starting(at time: Timestamp?) -> Options {
            guard namesStart, let time, let name else { return self }
            var options = self
            options.name = name + LocalTimeText.formatted(time, " %Y-%m-%d %H:%M", inUTC: usesUTC)
            options.namesStart = false
            return options
        }
    }
}
