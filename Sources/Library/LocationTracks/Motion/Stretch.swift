import LocationCore

/// A part of a way: its distance and time, and what the reported speeds say of it.
struct Stretch {
    var distance = 0.0
    var time = Duration.zero
    var fastest = 0.0
    /// The distance that the reported speeds allow, and the part of the time for which they tell it.
    private var bound = 0.0
    private var boundTime = Duration.zero

    /// Adds a step.
    ///
    /// - Parameter bound: The distance that the reported speeds allow in the time, if they tell it.
    mutating func add(_ step: Double, in time: Duration, bound: Double? = nil) {
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

    /// Removes a part; the greatest speed remains.
    mutating func remove(_ part: Stretch) {
        distance -= part.distance
        time -= part.time
        bound -= part.bound
        boundTime -= part.boundTime
    }

    /// The distance as far as the speeds allow it: receivers measure speed better than position, and the rest is the result of
    /// noise and jumps.
    var plausibleDistance: Double {
        let unbound = fastest * (time - boundTime).inSeconds
        return min(distance, bound + unbound, fastest * time.inSeconds)
    }
}
