import LocationCore
import LocwatchSupport

/// The receivers that are silent for longer than the interval of their points explains, while another one reports.
///
/// If no receiver has reported for as long, the points that follow tell which ones have ended with that pause. A receiver whose
/// clock is ahead of the others seems to follow a pause as well.
struct ReceiverSilences {
    private struct Receiver {
        /// The interval of its points, which updates cannot carry yet: the order of the points is decided before they are updates.
        var interval = ReportInterval.remote
        var last: Timestamp
        var isLost = false
        /// The end of a pause of all receivers, if this one has not reported since.
        var resumed: Timestamp?

        var end: Timestamp { last.advanced(by: interval.staleAfter) }
        var due: Timestamp { resumed?.advanced(by: interval.staleAfter) ?? end }
    }

    private var receivers = PerDevice<Receiver>()
    private var beginning: Timestamp?
    private var frontier: Timestamp?
    /// The earliest time at which a receiver can be lost.
    private var next: Timestamp?
    private var losses: [(device: String?, time: Timestamp)] = []

    /// Whether a pause has ended of which it is not known which receivers have ended with it.
    private(set) var isUndecided = false

    mutating func note(_ device: String?, at time: Timestamp) {
        let start = beginning ?? time
        beginning = start
        let before = frontier ?? time
        // The times of a receiver can lag behind those of another one.
        let now = max(before, time)
        frontier = now
        let place = receivers.place(of: device, default: Receiver(last: now))
        receivers[place: place].interval.note(at: time.since(start))
        receivers[place: place].last = now
        receivers[place: place].isLost = false
        let wasAwaited = receivers[place: place].resumed.take() != nil
        next.shorten(to: receivers[place: place].due)
        guard receivers.count > 1, wasAwaited || next.map({ now >= $0 }) ?? false else { return }
        review(at: now, after: now.since(before))
    }

    /// Finds the receivers that are lost, and those that can be lost since a pause.
    private mutating func review(at now: Timestamp, after pause: Duration) {
        next = nil
        isUndecided = false
        for place in 0..<receivers.count where !receivers[place: place].isLost {
            if receivers[place: place].resumed == nil, now >= receivers[place: place].end,
                pause >= receivers[place: place].interval.staleAfter
            {
                receivers[place: place].resumed = now
            }
            if now >= receivers[place: place].due {
                lose(receiverAt: place)
            } else {
                isUndecided = isUndecided || receivers[place: place].resumed != nil
                next.shorten(to: receivers[place: place].due)
            }
        }
    }

    private mutating func lose(receiverAt place: Int) {
        losses.append((receivers.device(at: place), receivers[place: place].last.advanced(by: PointCollector.ending)))
        receivers[place: place].interval.interrupt()
        receivers[place: place].isLost = true
        receivers[place: place].resumed = nil
    }

    /// Notes that the track of a receiver is interrupted; returns whether its loss is not noted already.
    mutating func interrupt(_ device: String?) -> Bool {
        guard let place = receivers.index(of: device) else { return true }
        guard !receivers[place: place].isLost else { return false }
        guard receivers[place: place].resumed == nil else {
            // It has ended with the pause.
            lose(receiverAt: place)
            isUndecided = receivers.values.contains { $0.resumed != nil }
            return false
        }
        receivers[place: place].interval.interrupt()
        receivers[place: place].isLost = true
        return true
    }

    /// Returns the receivers that are lost since the last call, each with the time of the loss; the others are not waited for.
    mutating func takeLosses() -> [(device: String?, time: Timestamp)] {
        if isUndecided {
            isUndecided = false
            for place in 0..<receivers.count where receivers[place: place].resumed != nil { lose(receiverAt: place) }
        }
        defer { losses.removeAll(keepingCapacity: true) }
        return losses.sorted { $0.time < $1.time }
    }
}
