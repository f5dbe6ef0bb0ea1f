import LocationCore

/// A writer of the elements of a track as lines of gpsd's JSON.
///
/// Each point is a `TPV`, after a `SKY` of the same time if it has figures of the satellites. The end of a segment is a
/// `TPV` without a fix.
struct TrackLines {
    /// The first line of a session that is made of a track.
    static let beginning = Array(
        "{\"class\":\"LOCWATCH\",\"staleAfter\":\(TrackProvider.longestInterval.components.seconds)}".utf8)

    private var writer = GPSDJSONWriter(TrackFormat.Options())

    init() { writer.repeatsSkies = true }

    /// Returns the lines of an element, without their ends.
    mutating func lines(of element: ReadElement) -> [[UInt8]] {
        var out = TextBuffer()
        switch element {
        case .point(let point) where point.location.fix == .none:
            guard let time = point.location.timestamp else { return [] }
            writer.loss(at: time, of: point.location.device, into: &out)
        case .point(var point):
            point.skyTime = point.location.timestamp
            writer.append(point, into: &out)
        case .gap(let time, let device): writer.loss(at: time, of: device, into: &out)
        case .message, .leftOut: break
        }
        return out.lines
    }
}
