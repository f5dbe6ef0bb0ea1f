import LocationTracks

/// The points of a track, of which the older half loses every second one when there are too many.
///
/// A response holds a copy, which shares all but the newest points with the track until the track loses points.
struct WebPoints: Sendable {
    /// The number of points, four hours at one a second.
    static let limit = 14_400
    /// The number of editions that responses can hold beside the track's, each with a megabyte at most.
    static let formerEditionLimit = 3

    /// A token that exists as long as the points of the time between two losses.
    private final class Edition: Sendable {}

    private struct FormerEdition: Sendable {
        weak var edition: Edition?
    }

    private(set) var list = ChunkedList<WebPoint>()
    private var edition = Edition()
    private var formerEditions: [FormerEdition] = []

    /// Whether responses hold so many points that the track has lost that no other response should begin.
    var isCrowded: Bool { formerEditions.count { $0.edition != nil } >= Self.formerEditionLimit }

    mutating func append(_ point: WebPoint) {
        if list.count >= Self.limit { thin() }
        list.append(point)
    }

    private mutating func thin() {
        formerEditions.removeAll { $0.edition == nil }
        formerEditions.append(FormerEdition(edition: edition))
        edition = Edition()
        var kept = ChunkedList<WebPoint>()
        var begins = false
        for (place, point) in list.enumerated() {
            var point = point
            // A segment whose first point is dropped begins with its next one.
            point.beginsSegment = point.beginsSegment || begins
            begins = place < list.count / 2 && place % 2 == 1 && point.beginsSegment
            if place >= list.count / 2 || place % 2 == 0 { kept.append(point) }
        }
        list = kept
    }
}
