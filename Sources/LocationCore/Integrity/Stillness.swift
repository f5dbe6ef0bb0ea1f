/// A detector of a receiver that stands still, by its speed and by the scatter of its positions.
///
/// A position is compared with an anchor, which follows the positions slowly. While the receiver is away from the anchor
/// the way that its speed explains is added up, so that a change of place without a speed is recognized.
struct Stillness: Hashable, Sendable {
    private var latitude = Double.nan
    private var longitude = 0.0
    /// The degrees of longitude that are as long as a degree of latitude.
    private var stretch = 1.0
    /// The seconds since the receiver came to the anchor.
    private(set) var stood = 0.0
    private var speed = 0.0
    /// The stay that the receiver has left, if it may still turn out to be a teleport.
    private(set) var left: Stay?

    /// A place at which a receiver stood still.
    struct Stay: Hashable, Sendable {
        var coordinate: Coordinate
        var duration: Double
        /// The way since then that the reported speed explains, in metres.
        var explained = 0.0
    }

    /// The length of a degree of latitude, to 0.6 %.
    private static let degree = 111_200.0

    /// The time for which the receiver has stood still, if it does.
    var duration: Double? { stood >= IntegrityRules.stillAfter ? stood : nil }

    /// Processes a position, the given number of seconds after the last one.
    mutating func process(_ location: Location, after passed: Double) {
        let reported = location.speed
        guard !latitude.isNaN, passed <= IntegrityRules.stillAfter else { return restart(location) }
        stood += passed
        if let reported { speed += (abs(reported) - speed) * 0.125 }
        let north = location.coordinate.latitude - latitude
        var turn = location.coordinate.longitude - longitude
        if abs(turn) > 180 { turn -= turn < 0 ? -360 : 360 }
        let east = turn * stretch
        let squared = (north * north + east * east) * (Self.degree * Self.degree)
        if left != nil { follow(reported, passed) }
        if squared < IntegrityRules.stillRadius * IntegrityRules.stillRadius || isScatter(squared, location) {
            guard speed < IntegrityRules.movingSpeed else { return leave(location) }
            if speed > IntegrityRules.stillSpeed, duration == nil { stood = 0 }
            // Follows within some minutes, so that a slow drift does not count as movement.
            latitude += north * 0.01
            if left != nil, duration != nil { forgetStay() }
            longitude += turn * 0.01
        } else {
            leave(location)
        }
    }

    /// Forgets the stay that was left, because its end has been explained or reported.
    mutating func forgetStay() { left = nil }

    private func isScatter(_ squared: Double, _ location: Location) -> Bool {
        guard let accuracy = location.horizontalAccuracy, accuracy < 100 else { return false }
        return squared < 4 * accuracy * accuracy
    }

    private mutating func follow(_ reported: Double?, _ passed: Double) {
        guard passed <= IntegrityRules.pause, let reported else { return forgetStay() }
        left?.explained += abs(reported) * passed
        if let explained = left?.explained, explained > IntegrityRules.farTeleport { forgetStay() }
    }

    private mutating func leave(_ location: Location) {
        let anchor = Coordinate(checking: latitude, longitude)
        if let duration, duration >= IntegrityRules.teleportAfter, let anchor, location.speed != nil {
            left = Stay(coordinate: anchor, duration: duration)
        }
        restart(location)
    }

    private mutating func restart(_ location: Location) {
        latitude = location.coordinate.latitude
        longitude = location.coordinate.longitude
        stretch = Angle(degrees: latitude).cosine
        stood = 0
        if let reported = location.speed { speed = abs(reported) } else { speed = 0 }
    }
}
