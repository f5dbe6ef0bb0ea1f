/// The place at which a receiver stood still last, if it may be there still or have left it without a speed.
///
/// The place follows the positions only as slowly as errors drift. While the receiver is away from it, the way that its speed
/// explains is added up, so that a change of place without a speed is recognized, however slow it is.
struct LastStay: Hashable, Sendable {
    private(set) var coordinate: Coordinate
    /// The time at the place, and the time since the receiver was there last.
    private(set) var duration: Double
    private(set) var away = 0.0
    /// The way since it was there last that the reported speed explains, in metres.
    private(set) var explained = 0.0
    /// The mean speed that the receiver reports while it stands.
    private var noise = 0.0

    /// Creates the stay of a receiver that stands still, or returns `nil` if it does not.
    init?(_ stillness: Stillness) {
        guard let duration = stillness.duration, let anchor = stillness.anchor else { return nil }
        (coordinate, self.duration) = (anchor, duration)
    }

    /// Processes a position; returns whether the receiver is still at the place, or away from it without an explanation.
    mutating func process(
        _ location: Location, _ stillness: Stillness, speed: Double, after passed: Double
    ) -> Bool {
        let squared = stillness.plane.squaredDistance(from: coordinate, to: location.coordinate)
        let distance = squared.squareRoot()
        let most = IntegrityRules.errorDrift * passed
        coordinate.move(distance > most ? most / distance : 1, towards: location.coordinate)
        if Stillness.isNear(squared, location) {
            duration += passed
            (away, explained) = (0, 0)
            noise += (speed - noise) * min(1, passed / IntegrityRules.teleportAfter)
        } else {
            away += passed
            explained += max(0, speed - noise) * passed
        }
        let isExplained = explained >= distance * IntegrityRules.explainedShare
        return !(away > 0 && isExplained && (stillness.isStill || explained > IntegrityRules.farTeleport))
    }
}
