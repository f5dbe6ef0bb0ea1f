package import LocationCore

/// Watches the pulses of one receiver, and tells when they begin and when they stop.
package struct PulseWatch: Hashable, Sendable {
    /// A change of the pulse.
    package enum Change: Hashable, Sendable {
        /// The first pulse, or the first after a loss.
        case seen
        /// No pulse for a while; `hasFix` tells whether the receiver had a fix, because many receivers send no pulse
        /// without one.
        case lost(after: Duration, hasFix: Bool)
    }

    /// The time without a pulse after which it counts as lost.
    package static let patience = Duration.seconds(3)

    private var last: Moment?
    /// Whether the pulses come.
    package private(set) var isSeen = false
    /// Whether the receiver has a fix.
    package var hasFix = false

    /// Creates a watch for a receiver that has not sent a pulse.
    package init() {}

    /// Processes a pulse.
    package mutating func pulse(at moment: Moment) -> Change? {
        last = moment
        defer { isSeen = true }
        return isSeen ? nil : .seen
    }

    /// The moment at which the pulse counts as lost, unless another comes before.
    package var deadline: Moment? { isSeen ? last?.advanced(by: Self.patience) : nil }

    /// Ends the pulse if its deadline has passed.
    package mutating func expire(at moment: Moment) -> Change? {
        guard let deadline, let last, moment >= deadline else { return nil }
        isSeen = false
        return .lost(after: last.duration(to: moment), hasFix: hasFix)
    }
}
