public import LocationCore

/// The mean of a receiver's positions while it stands still, which ends when it leaves its place.
///
/// Pass the positions of one receiver in their order. The mean begins where the receiver came to a place; that it stands there is known
/// after a minute, as `ReceiverView.isStationary` knows it. It is a value without a clock, and takes the same memory for any time.
public struct StandstillMean: Sendable {
    /// The reason why a standstill is over.
    public enum Ending: Hashable, Sendable {
        /// The receiver was reported so many metres from the mean, or with a speed at which nothing stands.
        case moved(distance: Double)
        /// There was no position for so long that nothing is known of what happened.
        case silent(Duration)
    }

    /// The time without a position after which nothing is known of what happened.
    public static let longestSilence = Duration.seconds(60)

    /// The mean of the positions since the receiver came to its place.
    public private(set) var mean = PositionMean()
    /// The reason why the standstill is over, or `nil` while the receiver may be at its place.
    public private(set) var ending: Ending?
    // Not the session's, because a mean begins anew where the last one has ended, although the receiver may be still.
    private var stillness = Stillness()
    private var last: (timestamp: Timestamp?, speed: Double?, moment: Moment)?
    private var seconds = 0.0

    /// Creates a mean that knows no position.
    public init() {}

    /// Whether the receiver is known to stand at its place.
    public var isStill: Bool { ending == nil && stillness.isStill }

    /// The moment at which the standstill is over unless there is another position.
    package var deadline: Moment? {
        ending == nil && isStill ? last?.moment.advanced(by: Self.longestSilence) : nil
    }

    /// Processes the next position; none counts after the end of the standstill.
    public mutating func process(_ location: Location, at moment: Moment) {
        guard ending == nil else { return }
        let wasStill = isStill
        let elapsed = last.map { max(.zero, $0.moment.duration(to: moment)).inSeconds } ?? 0
        let passed = last == nil ? 0 : location.seconds(since: last?.timestamp, session: elapsed)
        stillness.process(location, speed: location.speed ?? last?.speed, after: passed)
        last = (location.timestamp, location.speed ?? last?.speed, moment)
        seconds += max(0, passed)
        let isFirst = mean.count == 0 || stillness.stood == 0
        let distance = isFirst && !wasStill ? 0 : mean.coordinate?.distance(to: location.coordinate) ?? 0
        // The place of a stay follows the positions slowly, and a mean of a drift is none of a place.
        let isAdrift = distance > 2 * IntegrityRules.stillRadius(location.horizontalAccuracy)
        guard isFirst || isAdrift else { return mean.process(location, at: seconds) }
        if wasStill {
            let silence = Duration(clampingSeconds: passed)
            ending = silence > Self.longestSilence ? .silent(silence) : .moved(distance: distance)
            return
        }
        mean = PositionMean()
        seconds = 0
        mean.process(location, at: 0)
    }

    /// Notes that there was no position until a moment, which can be the end of the standstill.
    package mutating func pass(_ moment: Moment) {
        guard let deadline, moment >= deadline, let last else { return }
        ending = .silent(last.moment.duration(to: moment))
    }
}
