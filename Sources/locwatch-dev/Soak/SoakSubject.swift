import LocationCore

/// A session with something that goes wrong at its other end, and the truth about that.
protocol SoakSubject: AnyObject {
    var name: String { get }
    var session: FollowedSession { get }
    /// Since when positions have been coming, by the soak's clock; `nil` while they do not.
    var goodSince: Duration? { get }
    /// Since when no position can have come; `nil` while one can.
    var badSince: Duration? { get }
    /// How long it may take until a position is found again.
    var findLimit: Duration { get }

    /// Goes on to a moment: lets reports come, or something else go wrong.
    func step(at now: Duration, _ random: inout SplitMix64) throws
    /// From now on nothing goes wrong.
    func mend(at now: Duration) throws
}

extension SoakSubject {
    /// A position stays current for three seconds, and the machine may be loaded.
    private var loseLimit: Duration { .seconds(6) }

    /// In what the session contradicts the truth, if it does.
    func contradiction(at now: Duration) -> String? {
        let view = session.view
        if view.hasEnded { return "\(name): the session has ended" }
        if let moment = view.wentBack { return "\(name): a moment went back to \(moment.elapsed)" }
        if let badSince, now - badSince > loseLimit, view.state.location != nil {
            return "\(name): found, though nothing has come for \(now - badSince)"
        }
        if let goodSince, now - goodSince > findLimit, view.state.location == nil {
            return "\(name): \(view.state), though positions have come for \(now - goodSince)"
        }
        return nil
    }
}

extension SplitMix64 {
    mutating func seconds(_ range: ClosedRange<Double>) -> Duration {
        .seconds(Double.random(in: range, using: &self))
    }
}
