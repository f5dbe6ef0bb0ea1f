import LocationCore

/// The way since motion began, with the parts of it that a standstill takes back.
struct MovingWay: Sendable {
    private var whole = Stretch()
    /// The part since the anchor, which belongs to a standstill if positions alone tell that the receiver has stopped.
    private var sinceAnchor = Stretch()
    /// The part since the first of the last speeds that are low, which belongs to a standstill if the receiver has stopped.
    private var sinceSlow: Stretch?

    var time: Duration { whole.time }
    var plausibleDistance: Double { whole.plausibleDistance }

    /// The time since the first of the last speeds that are low, or `nil` if there is only one, or none.
    var slowTime: Duration? { sinceSlow?.time }

    mutating func note(_ speed: Double) { whole.fastest = max(whole.fastest, speed) }

    mutating func add(_ line: Double, in time: Duration) { whole.add(line, in: time) }

    mutating func add(_ part: Stretch) { whole.add(part) }

    mutating func add(_ step: MotionStep) {
        whole.add(step.distance, in: step.time, bound: step.bound)
        sinceAnchor.add(step.distance, in: step.time)
        if step.runs.slow > 1 {
            var slow = sinceSlow ?? Stretch()
            slow.add(step.distance, in: step.time, bound: step.bound)
            sinceSlow = slow
        } else {
            sinceSlow = nil
        }
    }

    mutating func passAnchor() { sinceAnchor = Stretch() }

    /// Removes the part at low speeds, and returns its time.
    mutating func removeSlow() -> Duration {
        guard let slow = sinceSlow.take() else { return .zero }
        whole.remove(slow)
        return slow.time
    }

    /// Replaces the way since the anchor by a straight line at the mean speed, and returns the rest of its time.
    mutating func straighten(from anchor: Coordinate?, to place: Coordinate) -> Duration {
        whole.remove(sinceAnchor)
        let line = anchor?.distance(to: place) ?? 0
        let share = whole.distance > 0 ? min(line / whole.distance, 1e6) : 0
        let walk = min(sinceAnchor.time, whole.time * share)
        whole.add(line, in: walk)
        return sinceAnchor.time - walk
    }
}
