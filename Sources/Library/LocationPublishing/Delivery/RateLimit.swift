import LocationCore

/// A limit on the number of records per second, with a burst of one second's worth.
struct RateLimit: Hashable, Sendable {
    private let perSecond: Double
    private var available: Double
    private var counted: Duration?

    init(perSecond: Double) {
        self.perSecond = perSecond
        available = max(1, perSecond)
    }

    mutating func room(at now: Duration) -> Int {
        if let counted, now > counted {
            available = min(max(1, perSecond), available + perSecond * (now - counted).inSeconds)
        }
        counted = now
        return Int(clamping: available)
    }

    mutating func spend(_ count: Int) { available -= Double(count) }

    /// Returns the time at which the next record can be sent.
    func nextRoom(after now: Duration) -> Duration {
        now + Duration(clampingSeconds: max(0, 1 - available) / perSecond)
    }
}
