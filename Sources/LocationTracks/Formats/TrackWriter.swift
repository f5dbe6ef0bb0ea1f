import LocationCore

/// Writes a track in one format, as bytes at the end of a buffer that the caller empties when it likes.
///
/// A file is `header`, then points and gaps in their order, then `trailer`. A writer is a value: writing the trailer does not
/// end it, so that what stands in a file can be closed after every point and go on all the same.
public protocol TrackWriter: Sendable {
    /// What stands before the first point.
    mutating func header(to bytes: inout [UInt8])
    /// The next point.
    mutating func append(_ point: TrackPoint, to bytes: inout [UInt8])
    /// The track is interrupted; the next point begins a new segment.
    mutating func gap(_ gap: TrackGap, to bytes: inout [UInt8])
    /// What stands after the last point.
    func trailer(to bytes: inout [UInt8])
}

/// A format in which tracks are written.
public enum TrackFormat: String, Hashable, Sendable, CaseIterable {
    /// GPX 1.1, for nearly every program that knows tracks.
    case gpx
    /// GeoJSON (RFC 7946), for web maps and GIS.
    case geojson
    /// KML 2.2, for Google Earth.
    case kml
    /// CSV (RFC 4180), for tables.
    case csv
    /// NMEA 0183, as a receiver would send it.
    case nmea
    /// gpsd's own JSON.
    case gpsd

    /// How a track is written.
    public struct Options: Hashable, Sendable {
        /// The program that writes, for formats that name it.
        public var creator: String
        /// The name of the track.
        public var name: String?
        /// Whether the time of the first point follows the name.
        public var namesStart: Bool
        /// GeoJSON: a feature a point, with every field, instead of a line a segment.
        public var pointFeatures: Bool
        /// CSV: the columns; without them a new file has the standard ones, and a continued one keeps its own.
        public var columns: CSVColumns?

        /// Ordinary options.
        public init(
            creator: String = "locwatch", name: String? = nil, namesStart: Bool = false, pointFeatures: Bool = false,
            columns: CSVColumns? = nil
        ) {
            self.creator = creator
            self.name = name
            self.namesStart = namesStart
            self.pointFeatures = pointFeatures
            self.columns = columns
        }

        /// The options of a track that starts at a time.
        func starting(at time: Timestamp?) -> Options {
            guard namesStart, let time, let name else { return self }
            var options = self
            options.name = LocalTime.named(name, time)
            options.namesStart = false
            return options
        }
    }

    /// A writer that has not written anything yet.
    public func writer(_ options: Options = Options()) -> any TrackWriter {
        switch self {
        case .gpx: GPXWriter(creator: options.creator, name: options.name)
        case .geojson: GeoJSONWriter(pointFeatures: options.pointFeatures)
        case .kml: KMLWriter(name: options.name)
        case .csv: CSVWriter(options.columns ?? .standard)
        case .nmea: NMEAWriter()
        case .gpsd: GPSDJSONWriter(creator: options.creator)
        }
    }

    /// The media type of the format.
    public var mediaType: String {
        switch self {
        case .gpx: "application/gpx+xml"
        case .geojson: "application/geo+json"
        case .kml: "application/vnd.google-earth.kml+xml"
        case .csv: "text/csv"
        case .nmea: "text/plain"
        case .gpsd: "application/x-ndjson"
        }
    }
}

extension TrackWriter {
    /// Writes an element of a track; a revision must be written by whoever can take the last point back.
    mutating func write(_ element: TrackElement, to bytes: inout [UInt8]) {
        switch element {
        case .point(let point), .revision(let point): append(point, to: &bytes)
        case .gap(let gap): self.gap(gap, to: &bytes)
        }
    }
}
