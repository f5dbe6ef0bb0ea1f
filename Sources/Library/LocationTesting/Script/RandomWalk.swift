package import LocationCore

/// A reproducible sequence of positions on a random walk.
///
/// Each step roughly keeps the direction of the previous one, so that the result resembles a track rather than noise.
/// Speed, course and accuracy are set and agree with the steps; timestamps are left to the sender.
package struct RandomWalk: Hashable, Sendable, Sequence, IteratorProtocol {
    private var place: Coordinate
    private let stride: Double
    private let interval: Duration
    private let device: String?
    private var bearing: Double
    private var random: SplitMix64

    /// Creates an endless walk, whose first position is one step away; use `prefix(_:)` to limit it.
    ///
    /// Steps are between 0.5 and 1.5 times as long as `stride`, in metres.
    package init(
        from start: Coordinate, stride: Double = 1.4, every interval: Duration = .seconds(1), seed: UInt64,
        device: String? = nil
    ) {
        place = start
        self.stride = stride
        self.interval = interval
        self.device = device
        random = SplitMix64(seed: seed)
        bearing = random.unit() * 360
    }

    package mutating func next() -> Location? {
        bearing += random.unit() * 90 - 45
        bearing -= (bearing / 360).rounded(.down) * 360
        let distance = stride * (0.5 + random.unit())
        place = place.destination(distance: distance, bearing: bearing)
        return Location(
            coordinate: place, device: device, horizontalAccuracy: 3 + random.unit() * 9,
            speed: interval > .zero ? distance / interval.inSeconds : nil, course: bearing)
    }
}
