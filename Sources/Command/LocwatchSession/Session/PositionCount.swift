package import LocationCore
import LocwatchSupport

/// A count of positions in which several reports of one epoch are one position.
package struct PositionCount {
    /// The number of positions.
    package private(set) var count = 0
    private var last = PerDevice<Timestamp?>()

    package init() {}

    /// Counts a position; returns whether it is a new one.
    package mutating func process(_ location: Location) -> Bool {
        // The first report of an epoch may have been held back, so a revision can be the first to be counted.
        if location.revision > 0, let time = last[location.device], time == location.timestamp { return false }
        last[location.device, default: nil] = location.timestamp
        count += 1
        return true
    }
}
