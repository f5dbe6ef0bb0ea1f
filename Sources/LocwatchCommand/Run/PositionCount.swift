import LocationCore

/// Counts positions as people do: what a receiver tells again of the same instant is no other position.
struct PositionCount {
    private struct Instant {
        var device: String?
        var time: Timestamp?
    }

    /// How many there were.
    private(set) var count = 0
    // Nearly always one: walking over them is faster than hashing a path.
    private var last: [Instant] = []

    /// Counts a position; answers whether it is a new one.
    mutating func take(_ location: Location) -> Bool {
        let instant = Instant(device: location.device, time: location.timestamp)
        if let index = last.firstIndex(where: { $0.device == instant.device }) {
            // The first report of an instant may have been held back, so that a revision is the first that counts.
            if location.revision > 0, last[index].time == instant.time { return false }
            last[index] = instant
        } else {
            last.append(instant)
        }
        count += 1
        return true
    }
}
