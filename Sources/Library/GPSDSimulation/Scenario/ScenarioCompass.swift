import Glibc
import LocationCore

/// The compass of a simulated boat, whose front does not point in the direction of its movement.
package struct ScenarioCompass: Hashable, Sendable {
    /// The angle in degrees by which the boat points to windward of its course.
    package var leeway = 12.0
    /// The angle in degrees by which the heading swings to both sides, and the time of a swing.
    package var swing = 6.0
    package var period = Duration.seconds(20)
    /// The angle of magnetic north east of true north.
    package var variation = 3.4

    package init() {}

    /// Returns the attitude of a boat on a course at a time since the start.
    ///
    /// A rate of turn is that of the swing; at a corner of the route the heading leaps.
    func attitude(on course: Double, at offset: Duration) -> Attitude {
        let turn = 2 * Double.pi / max(1, Double(period.nanoseconds) / 1e9)
        let phase = turn * Double(offset.nanoseconds) / 1e9
        let heading = Location.turned(course, by: leeway + swing * sin(phase))
        return Attitude(
            heading: heading, headingMagnetic: Location.turned(heading, by: -variation),
            rateOfTurn: swing * turn * cos(phase) * 60)
    }
}
