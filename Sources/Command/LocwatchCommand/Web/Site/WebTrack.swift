import LocationCore
import LocationTracks

/// The track of a session in memory of limited size.
struct WebTrack: Sendable {
    var points = WebPoints()
    private var assembler = TrackAssembler()
    private var beginsSegment = true
    /// Whether the session is about machines with names, which have no track together.
    private(set) var isOfMany = false

    mutating func process(_ update: TrackedUpdate) {
        if !isOfMany, case .update(let update, _) = update, update.subject != nil {
            (isOfMany, points) = (true, WebPoints())
        }
        guard !isOfMany else { return }
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
