import LocationTracks

/// The points of a track, of which the older half loses every second one when there are too many.
struct WebPoints: Sendable {
    /// The number of points, four hours at one a second.
    static let limit = 14_400

    private(set) var list: [WebPoint] = []

    init() { list.reserveCapacity(Self.limit) }

    mutating func append(_ point: WebPoint) {
        if list.count >= Self.limit { thin() }
        list.append(point)
    }

    private mutating func thin() {
        var kept: [WebPoint] = []
        kept.reserveCapacity(Self.limit)
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
