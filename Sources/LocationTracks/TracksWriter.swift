import LocationCore

/// Writes the tracks of several receivers into the text of one file.
///
/// CSV, GeoJSON and gpsd's JSON name the receiver in each piece of text, so the pieces stand in the order in which they come. In
/// GPX and KML a track is one stretch of text, which the caller keeps for each until the end.
package struct TracksWriter: Sendable {
    /// How many points GeoJSON holds back altogether, until lines are ended for the room that they take.
    private static let heldLimit = 65_536

    private let format: TrackFormat
    private let options: TrackFormat.Options
    private var tracks = PerDevice<Track>()
    private var hasFeatures = false
    private var heldPoints = 0
    /// How many points were written.
    package private(set) var points = 0

    private struct Track: Sendable {
        var writer: any TrackWriter
        /// The last point, until it is known whether a later report replaces it.
        var held: TrackPoint?
        var start: Timestamp?
    }

    /// A file without a track yet.
    package init(_ format: TrackFormat, _ options: TrackFormat.Options = .init()) {
        self.format = format
        self.options = options
    }

    /// Whether a track is one stretch of text.
    package var keepsTracksApart: Bool { format == .gpx || format == .kml }

    /// The number of tracks.
    package var count: Int { tracks.count }

    /// Appends what stands before the tracks.
    package func header(to bytes: inout [UInt8]) {
        switch format {
        case .gpx: GPXWriter(creator: options.creator).opening(to: &bytes)
        case .kml: KMLWriter().opening(to: &bytes)
        case .geojson, .csv, .nmea, .gpsd:
            var writer = format.writer(options)
            writer.header(to: &bytes)
        }
    }

    /// Appends what stands after the tracks.
    package func trailer(to bytes: inout [UInt8]) {
        switch format {
        case .gpx: bytes.append(GPXWriter.closing)
        case .kml: bytes.append(KMLWriter.closing)
        case .geojson, .csv, .nmea, .gpsd: format.writer(options).trailer(to: &bytes)
        }
    }

    /// Takes an element of a receiver's track and appends what can be written by now; returns the number of the track, from 0.
    @discardableResult
    package mutating func take(_ element: TrackElement, of device: String?, to bytes: inout [UInt8]) -> Int {
        let (format, options) = (format, options)
        let place = tracks.place(
            of: device, default: Track(writer: Self.writer(of: device, format, options)))
        switch element {
        case .point(let point):
            release(place, &bytes)
            tracks[place: place].held = point
            tracks[place: place].start = tracks[place: place].start ?? point.location.timestamp
        case .revision(let point): tracks[place: place].held = point
        case .gap(let gap):
            release(place, &bytes)
            write(place) { $0.gap(gap, to: &bytes) }
        }
        return place
    }

    /// Appends what is left of a track.
    package mutating func finish(_ track: Int, to bytes: inout [UInt8]) {
        release(track, &bytes)
        write(track) { writer in
            guard var lines = writer as? GeoJSONWriter else { return }
            lines.end(to: &bytes)
            writer = lines
        }
    }

    /// Appends what stands before the text of a track.
    package func opening(of track: Int, to bytes: inout [UInt8]) {
        let name = options.starting(at: tracks[place: track].start).name
        switch format {
        case .gpx: GPXWriter(creator: options.creator, name: name).trackOpening(tracks.device(at: track), to: &bytes)
        case .kml: KMLWriter(name: name).trackOpening(tracks.device(at: track), to: &bytes)
        case .geojson, .csv, .nmea, .gpsd: break
        }
    }

    /// Appends what stands after the text of a track.
    package func closing(of track: Int, to bytes: inout [UInt8]) {
        switch format {
        case .gpx: bytes.append(GPXWriter.trackClosing)
        case .kml: bytes.append(KMLWriter.trackClosing)
        case .geojson, .csv, .nmea, .gpsd: break
        }
    }

    private static func writer(
        of device: String?, _ format: TrackFormat, _ options: TrackFormat.Options
    ) -> any TrackWriter {
        format == .geojson
            ? GeoJSONWriter(pointFeatures: options.pointFeatures, device: device) : format.writer(options)
    }

    private mutating func release(_ track: Int, _ bytes: inout [UInt8]) {
        guard let point = tracks[place: track].held else { return }
        tracks[place: track].held = nil
        points += 1
        write(track) { $0.append(point, to: &bytes) }
        guard format == .geojson else { return }
        heldPoints += 1
        // However many receivers there are, the lines that are being made are bounded.
        guard heldPoints > max(Self.heldLimit, tracks.count * 16) else { return }
        heldPoints = 0
        for track in 0..<tracks.count {
            write(track) { writer in
                guard var lines = writer as? GeoJSONWriter else { return }
                _ = lines.cut(to: &bytes)
                writer = lines
            }
        }
    }

    /// Writes with the writer of a track; the features of all tracks stand in one list.
    private mutating func write(_ track: Int, _ body: (inout any TrackWriter) -> Void) {
        guard format == .geojson else { return body(&tracks[place: track].writer) }
        if var lines = tracks[place: track].writer as? GeoJSONWriter {
            lines.hasFeatures = hasFeatures
            tracks[place: track].writer = lines
        }
        body(&tracks[place: track].writer)
        hasFeatures = (tracks[place: track].writer as? GeoJSONWriter)?.hasFeatures ?? hasFeatures
    }
}
