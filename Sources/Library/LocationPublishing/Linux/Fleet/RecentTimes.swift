import LocationCore

/// The times of the last positions of a device, by which a position that comes again is recognized.
///
/// After a connection has broken, a client sends again what was not acknowledged, which is at most 20 messages with the
/// usual settings.
struct RecentTimes {
    private static let capacity = 32

    private var times: [Timestamp] = []
    private var next = 0

    /// Notes a time, and returns whether it is not among the last ones.
    mutating func insert(_ time: Timestamp) -> Bool {
        guard !times.contains(time) else { return false }
        if times.count < Self.capacity {
            times.append(time)
        } else {
            times[next] = time
            next = (next + 1) % Self.capacity
        }
        return true
    }
}
