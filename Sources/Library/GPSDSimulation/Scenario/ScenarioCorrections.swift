package import LocationCore

/// The corrections of a simulated receiver, which come and go periodically.
///
/// Offsets are from the start of a period. After the loss the corrections age, and the fix gets worse in steps.
package struct ScenarioCorrections: Hashable, Sendable {
    /// The corrected fix of an epoch.
    package struct Fix: Hashable, Sendable {
        package var quality: FixQuality
        /// The age of the corrections in seconds.
        package var age: Double
        /// The standard deviation of the measured distance to one satellite, in metres.
        package var sigma: Double
    }

    /// The time of the first corrections, with which the ambiguities are float.
    package var begins = Duration.seconds(5)
    /// The time from which the ambiguities are integers.
    package var fixes = Duration.seconds(20)
    /// The time at which the corrections cease.
    package var ceases = Duration.seconds(40)
    /// The time from which the ambiguities are float again.
    package var floats = Duration.seconds(50)
    /// The time from which the fix is an ordinary one again.
    package var ends = Duration.seconds(60)
    package var period = Duration.seconds(70)
    /// The number of the reference station.
    package var station = 77

    /// Returns the fix at a time since the start, or `nil` without corrections.
    package func fix(at offset: Duration) -> Fix? {
        let time = Duration.nanoseconds(offset.nanoseconds % period.nanoseconds)
        guard time >= begins, time < ends else { return nil }
        let isFixed = time >= fixes && time < floats
        return Fix(
            quality: isFixed ? .rtkFixed : .rtkFloat, age: 1 + max(.zero, time - ceases).inSeconds,
            sigma: isFixed ? 0.03 : 0.35)
    }
}
