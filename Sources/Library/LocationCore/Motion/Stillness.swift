/// A detector of a receiver that stands still, by its speed and by the scatter of its positions.
///
/// A position is compared with an anchor, which follows the positions within some minutes, and with the place of the last
/// stay, which follows them only as slowly as errors drift. While the receiver is away from its stay, the way that its
/// speed explains is added up, so that a change of place without a speed is recognized, however slow it is. All filters
/// work in seconds, so that a receiver with ten positions a second is judged as one with a single one.
///
/// It decides at once, and does not take back what it has said. `isStationary`, the rules of integrity and the stay that a monitor
/// shows read it. The statistics of a track have another one, to know which motion led away from a place. A value without a clock.
package struct Stillness: Hashable, Sendable {
    /// The plane on which distances from the last position are measured.
    private(set) var plane = LocalPlane()
    private var anchor: Coordinate?
    /// The seconds since the receiver came to the anchor.
    package private(set) var stood = 0.0
    private var speed = 0.0
    /// The last stay of the receiver, if it may be there still or have left it without a speed.
    @Boxed private(set) var stay: Stay?

    /// A place at which a receiver stood still.
    struct Stay: Hashable, Sendable {
        fileprivate(set) var coordinate: Coordinate
        /// The time at the place, and the time since the receiver was there last.
        fileprivate(set) var duration: Double
        fileprivate(set) var away = 0.0
        /// The way since it was there last that the reported speed explains, in metres.
        fileprivate(set) var explained = 0.0
        /// The mean speed that the receiver reports while it stands.
        fileprivate var noise = 0.0

        /// Processes a position, and returns the distance.
        fileprivate mutating func process(
            _ location: Location, on plane: LocalPlane, speed: Double, after passed: Double
        ) -> Double {
            let squared = plane.squaredDistance(from: coordinate, to: location.coordinate)
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
            return distance
        }
    }

    /// Creates a detector that knows no position.
    package init() {}

    /// The seconds for which the receiver has stood still, if it does.
    package var duration: Double? { stood >= IntegrityRules.stillAfter ? stood : nil }

    /// Processes a position, the given number of seconds after the last one.
    ///
    /// - Parameter reported: The reported speed in metres per second; if none is reported, the last one.
    package mutating func process(_ location: Location, speed reported: Double?, after passed: Double) {
        plane.follow(location.coordinate)
        guard let anchor, passed <= IntegrityRules.stillAfter else {
            stay = nil
            return restart(location, reported)
        }
        stood += passed
        if let reported { speed += (abs(reported) - speed) * min(1, passed / IntegrityRules.speedTime) }
        let squared = plane.squaredDistance(from: anchor, to: location.coordinate)
        if Self.isNear(squared, location), speed < IntegrityRules.movingSpeed {
            if speed > IntegrityRules.stillSpeed, duration == nil { stood = 0 }
            // Follows within some minutes, so that a slow drift does not count as movement.
            self.anchor?.move(min(1, passed / IntegrityRules.anchorTime), towards: location.coordinate)
        } else {
            restart(location, reported)
        }
        followStay(location, reported, passed)
    }

    /// Forgets the stay, because its end has been reported.
    mutating func forgetStay() { stay = nil }

    private static func isNear(_ squared: Double, _ location: Location) -> Bool {
        let radius = IntegrityRules.stillRadius(location.horizontalAccuracy)
        return squared < radius * radius
    }

    /// Adds up what has happened since the last stay.
    private mutating func followStay(_ location: Location, _ reported: Double?, _ passed: Double) {
        guard let reported, passed <= IntegrityRules.pause else { return forgetStay() }
        if var stay {
            let distance = stay.process(location, on: plane, speed: abs(reported), after: passed)
            self.stay = stay
            let isExplained = stay.explained >= distance * IntegrityRules.explainedShare
            guard stay.away > 0, isExplained, duration != nil || stay.explained > IntegrityRules.farTeleport else {
                return
            }
        }
        stay = duration.flatMap { duration in anchor.map { Stay(coordinate: $0, duration: duration) } }
    }

    private mutating func restart(_ location: Location, _ reported: Double?) {
        anchor = location.coordinate
        stood = 0
        speed = abs(reported ?? 0)
    }
}
