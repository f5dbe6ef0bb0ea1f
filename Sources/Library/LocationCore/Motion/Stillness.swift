/// A detector of a receiver that stays at one place, by its speed and by the scatter of its positions.
///
/// A position is compared with an anchor, which follows the positions within some minutes. All filters work in seconds, so that a
/// receiver with ten positions a second is judged as one with a single one.
///
/// It decides at once, and does not take back what it has said. A session asks it once for each position of a receiver, and
/// `LocationUpdate.isStationary` carries the answer: `isStationary`, the rules of integrity, the stay that a monitor shows and `Motion`
/// read that. A value without a clock.
package struct Stillness: Hashable, Sendable {
    /// The plane on which distances from the last position are measured.
    private(set) var plane = LocalPlane()
    /// The place at which the receiver stays, or is.
    private(set) var anchor: Coordinate?
    /// The seconds since the receiver came to the anchor.
    package private(set) var stood = 0.0
    private var speed = 0.0

    /// Creates a detector that knows no position.
    package init() {}

    /// The seconds for which the receiver has stood still, if it does.
    package var duration: Double? { isStill ? stood : nil }

    /// Whether the receiver has stayed at one place for a minute.
    package var isStill: Bool { stood >= IntegrityRules.stillAfter }

    /// Processes a position, the given number of seconds after the last one.
    ///
    /// - Parameter reported: The reported speed in metres per second; if none is reported, the last one.
    package mutating func process(_ location: Location, speed reported: Double?, after passed: Double) {
        plane.follow(location.coordinate)
        guard let anchor, passed <= IntegrityRules.stillAfter else { return restart(location, reported) }
        stood += passed
        if let reported { speed += (abs(reported) - speed) * min(1, passed / IntegrityRules.speedTime) }
        let squared = plane.squaredDistance(from: anchor, to: location.coordinate)
        guard Self.isNear(squared, location), speed < IntegrityRules.movingSpeed else {
            return restart(location, reported)
        }
        if speed > IntegrityRules.stillSpeed, !isStill { stood = 0 }
        // Follows within some minutes, so that a slow drift does not count as movement.
        self.anchor?.move(min(1, passed / IntegrityRules.anchorTime), towards: location.coordinate)
    }

    /// Returns whether a position can be that of a receiver at a place, given the square of the distance.
    static func isNear(_ squared: Double, _ location: Location) -> Bool {
        let radius = IntegrityRules.stillRadius(location.horizontalAccuracy)
        return squared < radius * radius
    }

    private mutating func restart(_ location: Location, _ reported: Double?) {
        anchor = location.coordinate
        stood = 0
        speed = abs(reported ?? 0)
    }
}
