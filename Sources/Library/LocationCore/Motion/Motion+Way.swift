extension Motion {
    /// A part of a way: its distance and time, and what the reported speeds say of it.
    struct Stretch {
        var distance = 0.0
        var time: Int64 = 0
        /// The distance that the reported speeds allow, and the part of the time for which they tell it.
        private(set) var bound = 0.0
        private(set) var boundTime: Int64 = 0

        /// Adds a step.
        ///
        /// - Parameter bound: The distance that the reported speeds allow in the time, if they tell it.
        mutating func add(_ step: Double, in time: Int64, bound: Double? = nil) {
            distance += step
            self.time += time
            guard let bound else { return }
            self.bound += bound
            boundTime += time
        }

        mutating func add(_ part: Stretch) {
            distance += part.distance
            time += part.time
            bound += part.bound
            boundTime += part.boundTime
        }

        mutating func remove(_ part: Stretch) {
            distance -= part.distance
            time -= part.time
            bound -= part.bound
            boundTime -= part.boundTime
        }
    }

    /// The way since motion began, with the parts of it that a standstill takes back.
    struct Way {
        private var whole = Stretch()
        /// The greatest speed, which remains when a part is removed.
        private var fastest = 0.0
        /// The part since the anchor, which belongs to a standstill if positions alone tell that the receiver has stopped.
        private var sinceAnchor = Stretch()
        /// The part since the first of the last speeds that are low, which belongs to a standstill if the receiver has stopped.
        private var slow = Stretch()
        /// The time since the first of the last speeds that are low, or `nil` if there is only one, or none.
        private(set) var slowTime: Int64?

        var time: Int64 { whole.time }

        /// The distance as far as the speeds allow it: receivers measure speed better than position, and the rest is the result of
        /// noise and jumps.
        var plausibleDistance: Double {
            let unbound = fastest * (whole.time - whole.boundTime).inSeconds
            return min(whole.distance, whole.bound + unbound, fastest * whole.time.inSeconds)
        }

        mutating func note(_ speed: Double) { fastest = max(fastest, speed) }

        mutating func add(_ line: Double, in time: Int64) { whole.add(line, in: time) }

        mutating func add(_ part: Stretch) { whole.add(part) }

        mutating func add(_ step: Step) {
            whole.add(step.distance, in: step.time, bound: step.bound)
            sinceAnchor.add(step.distance, in: step.time)
            if step.runs.slow > 1 {
                slow.add(step.distance, in: step.time, bound: step.bound)
                slowTime = slow.time
            } else if slowTime != nil {
                forgetSlow()
            }
        }

        mutating func passAnchor() { sinceAnchor = Stretch() }

        private mutating func forgetSlow() { (slow, slowTime) = (Stretch(), nil) }

        /// Removes the part at low speeds, and returns its time.
        mutating func removeSlow() -> Int64 {
            guard let time = slowTime else { return 0 }
            whole.remove(slow)
            forgetSlow()
            return time
        }

        /// Replaces the way since the anchor by a straight line at the mean speed, and returns the rest of its time.
        mutating func straighten(along line: Double) -> Int64 {
            whole.remove(sinceAnchor)
            let share = whole.distance > 0 ? min(line / whole.distance, 1e6) : 0
            let walk = min(sinceAnchor.time, Int64(clamping: (Double(whole.time) * share).rounded()))
            whole.add(line, in: walk)
            return sinceAnchor.time - walk
        }
    }
}
