public import LocationCore

/// Positions of somebody who walks about without a plan; the same seed gives the same walk.
///
/// Each step goes on roughly in the direction of the one before, so that it looks like a track and not like noise. Speed,
/// course and accuracy are set and agree with the steps; the times are for whoever sends the positions.
public struct RandomWalk: Hashable, Sendable, Sequence, IteratorProtocol {
    private var place: Coordinate
    private let stride: Double
    private let interval: Duration
    private let device: String?
    private var bearing: Double
    private var random: SplitMix64

    /// A walk that never ends; take as many steps as you need with `prefix(_:)`.
    ///
    /// - Parameters:
    ///   - start: where it begins; the first position is one step away.
    ///   - stride: the usual length of a step in metres; steps are between half and one and a half of it.
    ///   - interval: the time that a step takes, for the speed.
    ///   - seed: what all randomness follows from.
    ///   - device: the receiver that is carried along.
    public init(
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

    /// The next position.
    public mutating func next() -> Location? {
        bearing += random.unit() * 90 - 45
        bearing -= (bearing / 360).rounded(.down) * 360
        let distance = stride * (0.5 + random.unit())
        place = place.destination(distance: distance, bearing: bearing)
        return Location(
            coordinate: place, device: device, horizontalAccuracy: 3 + random.unit() * 9,
            speed: interval > .zero ? distance / (interval / .seconds(1)) : nil, course: bearing)
    }
}
