package import LocationCore

/// Watches the pulses of one receiver, and reports when they begin and when they stop.
package struct PulseWatch: Hashable, Sendable {
    /// A change of the pulse.
    package enum Change: Hashable, Sendable {
        /// The first pulse, or the first after a loss, with the time without one.
        case seen(after: Duration?)
        /// No pulse for a while; `hasFix` is whether the receiver has a fix, because many receivers send no pulse
        /// without one.
        case lost(after: Duration, hasFix: Bool)
    }

    /// The time without a pulse after which it counts as lost.
    package static let timeout = Duration.seconds(3)

    private var last: Moment?
    package private(set) var isSeen = false
    package var hasFix = false
    package private(set) var losses = 0
    /// The time without a pulse in all losses that have ended.
    package private(set) var lostTime = Duration.zero

    /// Creates a watch for a receiver that has not sent a pulse.
    package init() {}

    package mutating func pulse(at moment: Moment) -> Change? {
        defer {
            last = moment
            isSeen = true
        }
        guard !isSeen else { return nil }
        let pause = last?.duration(to: moment)
        if let pause { lostTime += pause }
        return .seen(after: pause)
    }

    /// The moment at which the pulse counts as lost, unless another comes before.
    package var deadline: Moment? { isSeen ? last?.advanced(by: Self.timeout) : nil }

    /// Ends the pulse if its deadline has passed.
    ///
    /// The change is that of the deadline, however late the call is, so that a replay at any pace has the same changes.
    package mutating func expire(at moment: Moment) -> Change? {
        guard let deadline, moment >= deadline else { return nil }
        isSeen = false
        losses += 1
        return .lost(after: Self.timeout, hasFix: hasFix)
    }
}
