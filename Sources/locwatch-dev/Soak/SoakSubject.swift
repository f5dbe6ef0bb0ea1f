import LocationCore

/// A session whose other end has faults, with the true state of that end.
protocol SoakSubject: AnyObject {
    var name: String { get }
    var session: FollowedSession { get }
    /// The time of the soak's clock since which positions have been sent, or `nil` while none are.
    var goodSince: Duration? { get }
    /// The time since which no position can have been sent, or `nil` while one can.
    var badSince: Duration? { get }
    /// The longest acceptable time until a fix is found again.
    var findLimit: Duration { get }

    /// Advances to a moment, which sends reports or changes the fault.
    func step(at now: Duration, _ random: inout SplitMix64) throws
    /// Removes the fault; no further one follows.
    func mend(at now: Duration) throws
}

extension SoakSubject {
    /// A position stays current for three seconds; the rest allows for a loaded machine.
    private var loseLimit: Duration { .seconds(6) }

    /// Returns a description of the contradiction between the session and the truth, if any.
    func contradiction(at now: Duration) -> String? {
        let view = session.view
        if view.hasEnded { return "\(name): the session has ended" }
        if let moment = view.wentBack { return "\(name): a moment went back to \(moment.elapsed)" }
        if let badSince, now - badSince > loseLimit, view.state.location != nil {
            return "\(name): found, although no position was sent for \(now - badSince)"
        }
        if let goodSince, now - goodSince > findLimit, view.state.location == nil {
            return "\(name): \(view.state), although positions were sent for \(now - goodSince)"
        }
        return nil
    }
}

extension SplitMix64 {
    mutating func seconds(_ range: ClosedRange<Double>) -> Duration {
        .seconds(Double.random(in: range, using: &self))
    }
}
