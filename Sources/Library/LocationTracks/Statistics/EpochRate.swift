import LocationCore
import LocwatchSupport

/// The mean number of epochs per second of the receivers of a session while they had a position.
///
/// The interval that an update carries is the median of the last five arrivals of one receiver; this is a mean over the whole
/// session, by the receivers' clocks.
struct EpochRate: Sendable {
    /// The last report of each receiver, or `nil` after an interruption.
    private var last = PerDevice<(time: Timestamp?, elapsed: Duration)?>()
    private var intervals = 0
    private var time = Duration.zero

    /// The epochs per second, or `nil` before the second epoch of a receiver.
    var mean: Double? { time > .zero ? Double(intervals) / time.inSeconds : nil }

    /// Processes a position that is not late.
    mutating func process(_ location: Location, at elapsed: Duration) {
        let place = last.place(of: location.device, default: nil)
        if let last = last[place: place] {
            // The receiver's clock is regular even if reports are delayed, but it can be set.
            let session = (elapsed - last.elapsed).clampedNanoseconds
            let interval = ReceiverTime.between(last.time, and: location.timestamp, session: session)
            // Epochs of a recording without any time follow each other at one moment, whose rate is unknown.
            if interval > 0 {
                intervals += 1
                time += .nanoseconds(interval)
            }
        }
        last[place: place] = (location.timestamp, elapsed)
    }

    /// Notes that the time until the next report of each receiver does not count.
    mutating func interrupt() {
        for place in 0..<last.count { last[place: place] = nil }
    }
}
