import LocationCore
import LocationTracks

/// The track of a session in memory of limited size.
struct WebTrack: Sendable {
    var points = WebPoints()
    private var assembler = TrackAssembler()
    private var beginsSegment = true

    mutating func process(_ update: TrackedUpdate) {
        for element in assembler.process(update) {
            switch element {
            case .point(let point):
                points.append(WebPoint(point, beginsSegment: beginsSegment))
                beginsSegment = false
            case .gap: beginsSegment = true
            }
        }
    }
}
