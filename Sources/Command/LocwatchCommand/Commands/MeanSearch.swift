import LocationCore
import LocationTracks
import LocwatchArguments
import LocwatchPrinting
import LocwatchTerminal

/// The search of `once --average` for the mean of a standstill that is long enough, or whose error is small enough.
///
/// A live receiver that leaves its place ends the search, because the user wants to know that now. A recording is searched for the first
/// standstill that suffices. With several receivers the one whose position is current when a standstill is known is taken, and no other.
struct MeanSearch {
    /// The time within which a live receiver must be known to stand still, unless a limit of the user is given.
    static let patience = Duration.seconds(180)
    /// The time of the mean between two looks at whether its error is small enough.
    private static let interval = Duration.seconds(60)

    private let wanted: Duration
    /// The error that is small enough, if the mean may end before its time.
    private let accuracy: Double?
    /// The time for the receiver to stand still, or `nil` in a recording, in which nothing is waited for.
    private let patience: Duration?
    private var standstill = StandstillMean()
    private var nextLook = Duration.zero
    private var last: LocationUpdate?
    /// The moment until which the receiver must be known to stand still.
    private var limit: Moment?
    /// The longest standstill of a recording so far.
    private var longest = Duration.zero
    /// The update with the mean that was searched for.
    private(set) var result: LocationUpdate?
    /// The reason why there is none.
    private(set) var failure: LocationError.Shortfall?

    init(for wanted: Duration, accuracy: Double?, isLive: Bool, within timeout: Duration?) {
        self.wanted = wanted
        self.accuracy = accuracy
        patience = isLive ? timeout ?? Self.patience : nil
    }

    /// Whether there is nothing left to search for.
    var isOver: Bool { result != nil || failure != nil }

    /// Whether a position has come.
    var hasBegun: Bool { last != nil }

    mutating func begin(at moment: Moment) { limit = patience.map { moment.advanced(by: $0) } }

    /// Processes a position.
    mutating func process(_ update: LocationUpdate, _ location: Location, _ standing: TrackedUpdate.Standing) {
        guard !isOver, !location.isLate else { return }
        if let known = last?.location, known.device != location.device {
            guard !standstill.isStill, standing == .current else { return }
            standstill = StandstillMean()
        } else if last == nil, standing != .current {
            return
        }
        last = update
        standstill.process(location, at: update.moment)
        if endIfBroken() { standstill.process(location, at: update.moment) }
        guard standstill.isStill else { return expire(at: update.moment) }
        limit = nil
        let duration = standstill.mean.duration
        if duration >= wanted {
            finish()
        } else if let accuracy, duration >= nextLook {
            nextLook = duration + Self.interval
            if let error = standstill.mean.error, error.radius <= accuracy { finish() }
        }
    }

    /// Ends the search after a standstill that was left, or begins it again in a recording; returns whether it begins again.
    private mutating func endIfBroken() -> Bool {
        guard let ending = standstill.ending else { return false }
        let duration = standstill.mean.duration
        guard patience == nil else {
            failure =
                switch ending {
                case .moved(let distance): .moved(after: duration, distance: distance)
                case .silent(let silence): .interrupted(after: duration, silence: silence)
                }
            return false
        }
        longest = max(longest, duration)
        standstill = StandstillMean()
        nextLook = .zero
        return true
    }

    private mutating func finish() {
        let error = standstill.mean.error
        guard var update = last, var mean = standstill.mean.location(with: error) else { return }
        if let accuracy, error.map({ $0.radius > accuracy }) ?? true {
            // The accuracy that the receiver claims is not the error that was asked for.
            if error == nil { mean.horizontalAccuracy = nil }
            failure = .tooCoarse(best: mean, wanted: accuracy)
            return
        }
        update.event = .location(mean)
        result = update
    }

    /// The moment at which the search fails unless a position comes before.
    var deadline: Moment? { isOver ? nil : standstill.deadline ?? limit }

    mutating func expire(at moment: Moment) {
        guard !isOver else { return }
        standstill.pass(moment)
        _ = endIfBroken()
        if failure == nil, let limit, moment >= limit, hasBegun { failure = .tooBrief(longest: .zero, wanted: wanted) }
    }

    /// The reason why there is no mean when the source has ended, or `nil` if it has given no position.
    var shortfall: LocationError.Shortfall? {
        guard failure == nil, hasBegun else { return failure }
        return .tooBrief(
            longest: max(longest, standstill.isStill ? standstill.mean.duration : .zero), wanted: wanted)
    }

    /// The advice on a failure, if it is another one than that on its kind.
    var advice: String? {
        guard case .tooCoarse(let best, _) = failure else { return nil }
        return best.horizontalAccuracy == nil
            ? "that was too short to tell: take a longer time (--average), or leave out -a"
            : "take a longer time (--average), or a greater error (-a)"
    }

    /// Returns the progress in words, or `nil` before the first position.
    func words(_ style: TextStyle) -> String? {
        guard hasBegun else { return nil }
        guard standstill.isStill else { return "waiting for a standstill" }
        let parts = [
            "\(standstill.mean.duration.wholeSeconds.spoken) of \(wanted.spoken)",
            standstill.mean.count.counting("position"),
            MeanText(standstill.mean.error, bound: standstill.mean.location(with: nil)?.horizontalAccuracy, style)
                .brief,
        ]
        return parts.joined(separator: " \(style.glyphs.separator) ")
    }
}

extension Duration {
    /// The duration without the part of a second that has not passed.
    fileprivate var wholeSeconds: Duration { .seconds(components.seconds) }
}
