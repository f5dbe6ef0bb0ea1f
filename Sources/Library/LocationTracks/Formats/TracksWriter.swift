package import LocationCore
import LocwatchSupport

/// A writer of the tracks of several receivers into one file, from the positions of a session.
///
/// If the format names the receiver in each piece of text, the pieces are written in the order in which they arrive. Otherwise a
/// track is one stretch of text, which the caller keeps for each track until the end.
package struct TracksWriter: Sendable {
    /// The number of points in all lines of GeoJSON or tracks of KML at which they are ended to release memory.
    private static let heldLimit = 65_536

    private let format: TrackFormat
    private let options: TrackFormat.Options
    private var tracks = PerDevice<Track>()
    private var hasFeatures = false
    private var heldPoints = 0
    package private(set) var points = 0

    private struct Track: Sendable {
        var writer: any TrackWriter
        var start: Timestamp?
        /// The name of the first track of the file that is read, which comes before its first point.
        var name: String?
        var hasPoints = false
        /// The number of points since its gx:Track was ended to release memory.
        var unfinished = 0
    }

    package init(_ format: TrackFormat, _ options: TrackFormat.Options = .init()) {
        self.format = format
        self.options = options
    }

    package var keepsTracksApart: Bool { format.receivers == .inTracks }

    package var count: Int { tracks.count }

    package func header(into out: inout TextBuffer) { format.writer(options).beginFile(into: &out) }

    package func trailer(into out: inout TextBuffer) { format.writer(options).endFile(into: &out) }

    /// Processes an element of a receiver's track and appends the finished text; returns the number of the track, from
    /// 0.
    @discardableResult
    package mutating func process(_ element: TrackElement, of device: String?, into out: inout TextBuffer) -> Int {
        let (format, options) = (format, options)
        let place = tracks.place(of: device, default: Track(writer: Self.writer(of: device, format, options)))
        switch element {
        case .point(let point): write(point, place, &out)
        case .gap(.track(let name)) where keepsTracksApart && !tracks[place: place].hasPoints:
            tracks[place: place].name = name
        case .gap(let gap): write(place) { $0.gap(gap, into: &out) }
        }
        return place
    }

    /// Appends the text before the points of a track, which is named after its start.
    package func begin(_ track: Int, into out: inout TextBuffer) {
        var options = options.starting(at: tracks[place: track].start)
        options.trackName = tracks[place: track].name
        Self.writer(of: tracks.device(at: track), format, options).beginTrack(into: &out)
    }

    /// Appends the rest of a track and the text after its points.
    package mutating func end(_ track: Int, into out: inout TextBuffer) {
        write(track) {
            $0.endSegment(into: &out)
            $0.endTrack(into: &out)
        }
    }

    private static func writer(
        of device: String?, _ format: TrackFormat, _ options: TrackFormat.Options
    ) -> any TrackWriter {
        var options = options
        options.device = device
        return format.writer(options)
    }

    private mutating func write(_ point: TrackPoint, _ track: Int, _ out: inout TextBuffer) {
        tracks[place: track].start = tracks[place: track].start ?? point.location.timestamp
        tracks[place: track].hasPoints = true
        points += 1
        write(track) { $0.append(point, into: &out) }
        heldPoints += 1
        tracks[place: track].unfinished += 1
        // This bounds the memory of unfinished features for any number of receivers.
        guard heldPoints > max(Self.heldLimit, tracks.count * 16) else { return }
        if keepsTracksApart {
            // The text of another track belongs elsewhere.
            heldPoints -= tracks[place: track].unfinished
            tracks[place: track].unfinished = 0
            return write(track) { $0.flush(into: &out) }
        }
        heldPoints = 0
        for track in 0..<tracks.count {
            write(track) { $0.flush(into: &out) }
        }
    }

    /// Calls `body` with the writer of a track, and carries over whether the common list holds features.
    private mutating func write(_ track: Int, _ body: (inout any TrackWriter) -> Void) {
        tracks[place: track].writer.hasFeatures = hasFeatures
        body(&tracks[place: track].writer)
        hasFeatures = tracks[place: track].writer.hasFeatures
    }
}
