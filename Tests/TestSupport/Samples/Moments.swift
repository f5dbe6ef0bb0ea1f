package import LocationCore
import LocationTesting

/// Returns the moment of a session some seconds after its beginning, to the millisecond.
package func moment(_ seconds: Double, from start: Timestamp = .testEpoch) -> Moment {
    .after(.milliseconds(Int((seconds * 1000).rounded())), from: start)
}

extension Moment {
    /// Returns a moment of a session by the time since its beginning.
    package static func after(_ elapsed: Duration, from start: Timestamp = .testEpoch) -> Moment {
        Moment(elapsed: elapsed, wall: start.advanced(by: elapsed))
    }
}
