public import LocationCore

/// The mean of the positions of a receiver that stands still, with its error.
///
/// Each position counts as much as any other, whatever accuracy the receiver reports for it. Any number of positions takes the same
/// memory. ``StandstillMean`` makes one of a receiver's positions, and notices when it leaves its place.
public struct PositionMean: Sendable {
    /// The number of positions.
    public var count: Int { places.count }
    /// The time in seconds from the first position to the last one.
    private(set) var seconds = 0.0
    /// The last position, whose receiver and times are those of the mean.
    private var last: Location?
    private var places = PlaceMean()
    private var heightsMSL = RunningMean()
    private var heightsHAE = RunningMean()
    private var horizontalAccuracies = RunningMean()
    private var verticalAccuracies = RunningMean()
    private var blocks = ErrorBlocks()
    /// Whether all positions have the same quality.
    private var isUniform = true

    /// A mean of numbers, some of which can be unknown.
    private struct RunningMean: Sendable {
        private(set) var count = 0
        private var mean = 0.0

        var value: Double? { count > 0 ? mean : nil }

        mutating func process(_ number: Double?) {
            guard let number, number.isFinite else { return }
            count += 1
            mean += (number - mean) / Double(count)
        }
    }

    /// Creates a mean of no positions.
    public init() {}

    /// Adds a position.
    ///
    /// - Parameters:
    ///   - location: The position.
    ///   - seconds: The time in seconds since the first position; it never decreases.
    public mutating func process(_ location: Location, at seconds: Double) { add(location, at: seconds) }

    /// Adds a position, and returns its offset from the first one.
    @discardableResult
    mutating func add(_ location: Location, at seconds: Double) -> GroundOffset {
        let offset = places.add(SurfacePoint(location.coordinate))
        self.seconds = max(self.seconds, seconds.isFinite ? seconds : 0)
        if let last, last.quality != location.quality { isUniform = false }
        heightsMSL.process(location.altitudeMSL)
        heightsHAE.process(location.altitudeHAE)
        horizontalAccuracies.process(location.horizontalAccuracy)
        verticalAccuracies.process(location.verticalAccuracy)
        // The two heights differ by tens of metres, so that only one kind of them can tell a scatter.
        let up = heightsMSL.count >= heightsHAE.count ? location.altitudeMSL : location.altitudeHAE
        blocks.process(offset, up: up, at: self.seconds)
        last = location
        return offset
    }

    /// The mean relative to the first position.
    var centre: GroundOffset { places.centre }

    /// The mean of the positions, which minimizes the sum of the squared distances along the ellipsoid.
    public var coordinate: Coordinate? { places.coordinate }

    /// The time that the positions stand for: each one for as long as it takes to the next.
    public var duration: Duration {
        Duration(clampingSeconds: count > 1 ? seconds * Double(count) / Double(count - 1) : 0)
    }

    /// The error of the mean, or `nil` if the time is too short to tell.
    public var error: MeanError? { MeanError(blocks) }

    /// The mean as a position of the receiver, or `nil` if there is none yet.
    ///
    /// Its accuracies are the error of the mean. While that is unknown, they are the means of the accuracies that the receiver
    /// reports: no mean is worse than its positions. `location["count"]` is the number of positions, `location["seconds"]` their
    /// duration, and `location["correlation"]` the correlation time if the error is known.
    public var location: Location? { location(with: error) }

    /// Returns the mean as a position with an error that was computed before.
    package func location(with error: MeanError?) -> Location? {
        guard let coordinate, let last else { return nil }
        let isSpatial = heightsMSL.count + heightsHAE.count > 0
        var mean = LocationDraft(at: coordinate.toNineDecimals, fix: isSpatial ? .threeD : .twoD)
        mean.facts.timestamp = last.timestamp
        mean.facts.received = last.received
        mean.facts.device = last.device
        mean.facts.quality = isUniform ? last.quality : .ordinary
        mean[.horizontalAccuracy] = (error?.radius ?? horizontalAccuracies.value).map(\.toFourDecimals)
        mean[.altitudeMSL] = heightsMSL.value.map(\.toFourDecimals)
        mean[.altitudeHAE] = heightsHAE.value.map(\.toFourDecimals)
        mean[.geoidSeparation] = last.geoidSeparation
        mean[.verticalAccuracy] = isSpatial ? (error?.vertical ?? verticalAccuracies.value).map(\.toFourDecimals) : nil
        mean[.meanCount] = Double(count)
        mean[.meanDuration] = duration.inSeconds.toFourDecimals
        mean[.correlationTime] = error?.correlationTime.toFourDecimals
        return Location(mean)
    }
}
