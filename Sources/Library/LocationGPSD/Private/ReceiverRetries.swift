import LocationCore
import GPSDProtocol

/// The retries of a stream or a serial line: the pauses between them, and the silence after which a connection counts as lost.
///
/// It has no clock: moments go in.
struct ReceiverRetries: Hashable, Sendable {
    private let timeouts: ConnectionTimeouts
    private var backoff: Backoff
    /// The moment of the next attempt, if the receiver waits for it.
    private(set) var due: Moment?
    /// The moment at which a silent connection counts as lost, unless data arrives before.
    private(set) var lossDue: Moment?
    /// Whether data has arrived since the last attempt.
    private(set) var hasHeard = false
    /// The moment until which a stream may be silent because gpsd is still opening it.
    private var openingDue: Moment?

    init(_ timeouts: ConnectionTimeouts) {
        self.timeouts = timeouts
        backoff = Backoff(timeouts.retries)
    }

    /// The number of failures since data has arrived.
    var failures: Int { backoff.failures }

    /// Notes what has arrived; `canBeLost` tells a stream whose silence can be the end of its connection.
    mutating func note(_ update: LocationUpdate, canBeLost: Bool) {
        switch update.event {
        case _ where canBeLost && isPremature(update): lossDue = lossDue ?? openingDue
        // A gpsd that opens streams in the background closes one that it could not open.
        case .searching(.deviceLost, _) where canBeLost && !hasHeard: lossDue = update.moment
        case .searching(.deviceSilent, _) where canBeLost, .searching(.deviceLost, _) where canBeLost:
            lossDue = lossDue ?? update.moment.advanced(by: timeouts.streamSilence)
        case .location, .satellites, .attitude, .receiver, .searching(.noFix, _): hear()
        case .device(let status) where status.activity == .reporting || status.activity == .babbling: hear()
        default: break
        }
    }

    private mutating func hear() {
        backoff.succeed()
        lossDue = nil
        hasHeard = true
    }

    /// Notes a failure; returns the pause before the next attempt.
    mutating func fail(at moment: Moment) -> Duration {
        lossDue = nil
        let pause = backoff.fail()
        due = moment.advanced(by: pause)
        return pause
    }

    /// Notes that gpsd has accepted a stream, which it opens now or in the background.
    mutating func open(_ address: StreamAddress, inBackground: Bool, at moment: Moment) {
        openingDue = inBackground && address.scheme == .ntrip ? moment.advanced(by: GPSDQuirks.casterOpening) : nil
    }

    /// Returns whether an update reports a silence, or bytes without a meaning, of a stream that gpsd is still opening.
    ///
    /// Neither tells anything, because gpsd has not read the answer of the caster yet (`GPSDQuirks.casterOpening`).
    func isPremature(_ update: LocationUpdate) -> Bool {
        guard !hasHeard, let openingDue, update.moment < openingDue else { return false }
        return switch update.event {
        case .device(let status): status.activity == .silent || status.activity == .babbling
        case .searching(.deviceSilent, _), .searching(.deviceBabbling, _): true
        default: false
        }
    }

    /// Notes that the next attempt begins.
    mutating func begin() {
        due = nil
        hasHeard = false
    }

    /// Returns the error for a stream that counts as lost.
    func loss(of address: StreamAddress) -> LocationError {
        // gpsd writes the answer of a caster only to its log.
        let cause =
            if hasHeard {
                "no data arrives any more"
            } else if address.scheme == .ntrip {
                "no data arrives; the caster can have refused the mountpoint, the user or the password"
            } else {
                "no data arrives"
            }
        return .connectionLost(host: address.host, port: address.port, cause: cause)
    }
}
