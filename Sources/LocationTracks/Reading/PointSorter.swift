import LocationCore
import LocwatchSupport

/// A stage that brings the points of a file into the order of their times.
///
/// The points are held back until the end of the file, which takes less than 1 kB for each, if the second one is earlier than the
/// first, because the file begins with the newest, or if the first one names its receiver, because a file of XML or GeoJSON has
/// the tracks of several receivers one after another. If there are more than `limit` points, all come in the order of the file
/// from then on.
///
/// Of several receivers, one whose track ends before those of the others is lost there. A CSV does not tell the end of a track in
/// advance, so a receiver is lost when it is silent for longer than its interval explains, as in a recording.
final class PointSorter {
    private let limit: Int
    private let emit: (ReadElement) -> Void
    /// Whether elements are held back, once it is known.
    private var isHolding: Bool?
    /// The first point, until the second one tells the order.
    private var first: (element: ReadElement, device: String?, time: Timestamp)?
    /// Whether the file begins with the newest point.
    private var isReversed = false
    /// The elements that are held back, each with the latest time of its receiver until then.
    private var held: [(element: ReadElement, time: Timestamp)] = []
    private var latest = PerDevice<Timestamp>()
    /// The silences, if the file has the points of all receivers in the order of their times.
    private var silences: ReceiverSilences?

    /// - Parameters:
    ///   - isInOrder: Whether the file has the points of all receivers in the order of their times.
    ///   - limit: The number of points that are held back.
    init(isInOrder: Bool, limit: Int = 100_000, emit: @escaping (ReadElement) -> Void) {
        self.limit = limit
        self.emit = emit
        silences = isInOrder ? ReceiverSilences() : nil
    }

    func process(_ element: ReadElement) {
        guard let (device, time) = element.origin else { return emit(element) }
        guard let isHolding else {
            decide(element, device, time)
            return
        }
        guard isHolding else { return pass(element, of: device, at: time) }
        let place = latest.place(of: device, default: time)
        latest[place: place] = max(latest[place: place], time)
        held.append((element, isReversed ? time : latest[place: place]))
        if held.count >= limit { release() }
    }

    /// Decides by the first two points whether to hold back, and processes them.
    private func decide(_ element: ReadElement, _ device: String?, _ time: Timestamp) {
        guard let first else {
            self.first = (element, device, time)
            return
        }
        self.first = nil
        // The times of two receivers can differ.
        isReversed = time < first.time && device == first.device
        isHolding = isReversed || silences == nil && first.device != nil
        process(first.element)
        process(element)
    }

    /// Ends the tracks, and emits what is held back.
    func finish() {
        if let first {
            self.first = nil
            emit(first.element)
        }
        guard isHolding == true else { return }
        let end = latest.values.max()
        for place in 0..<latest.count where latest[place: place] != end {
            let time = latest[place: place].advanced(by: PointCollector.ending)
            held.append((.gap(time, device: latest.device(at: place)), time))
        }
        release()
    }

    private func release() {
        isHolding = false
        let held = held
        self.held = []
        // An array of numbers is sorted with fewer copies than one of elements.
        let order =
            latest.count > 1 || isReversed
            ? held.indices.sorted { (held[$0].time, $0) < (held[$1].time, $1) } : Array(held.indices)
        for index in order { emit(held[index].element) }
    }

    private func pass(_ element: ReadElement, of device: String?, at time: Timestamp) {
        if case .gap = element {
            guard silences?.interrupt(device) != false else { return }
        } else {
            for silence in silences?.note(device, at: time) ?? [] {
                emit(.gap(silence.time, device: silence.device))
            }
        }
        emit(element)
    }
}

extension ReadElement {
    /// The receiver and the time, if it has them.
    fileprivate var origin: (device: String?, time: Timestamp)? {
        switch self {
        case .point(let point): point.location.timestamp.map { (point.location.device, $0) }
        case .gap(let time, let device): (device, time)
        case .message: nil
        }
    }
}

/// The receivers that are silent for longer than the interval of their points explains, while another one reports.
private struct ReceiverSilences {
    private struct Receiver {
        var interval = ReportInterval(isFleet: true)
        var last: Timestamp
        var isLost = false

        var end: Timestamp { last.advanced(by: interval.staleAfter) }
    }

    /// The number of receivers, of which a file may name any number.
    private static let limit = 1_000

    private var receivers = PerDevice<Receiver>()
    private var beginning: Timestamp?
    /// The greatest time so far.
    private var frontier: Timestamp?
    /// The earliest time at which a receiver can be lost.
    private var next: Timestamp?

    /// Notes a point, and returns the receivers that are lost before it, each with the time of the loss.
    mutating func note(_ device: String?, at time: Timestamp) -> [(device: String?, time: Timestamp)] {
        let start = beginning ?? time
        beginning = start
        // The times of a receiver can lag behind those of another one.
        let now = max(frontier ?? time, time)
        frontier = now
        if receivers.count >= Self.limit, receivers.index(of: device) == nil { receivers = PerDevice() }
        let place = receivers.place(of: device, default: Receiver(last: now))
        receivers[place: place].interval.note(at: time.since(start))
        receivers[place: place].last = now
        receivers[place: place].isLost = false
        let end = receivers[place: place].end
        next = next.map { min($0, end) } ?? end
        guard receivers.count > 1, let due = next, now >= due else { return [] }
        var lost: [(device: String?, time: Timestamp)] = []
        next = nil
        for place in 0..<receivers.count where !receivers[place: place].isLost {
            let end = receivers[place: place].end
            if now >= end {
                lost.append((receivers.device(at: place), end))
                receivers[place: place].interval.interrupt()
                receivers[place: place].isLost = true
            } else {
                next = next.map { min($0, end) } ?? end
            }
        }
        return lost
    }

    /// Notes that the track of a receiver is interrupted; returns whether it was not lost before.
    mutating func interrupt(_ device: String?) -> Bool {
        guard let place = receivers.index(of: device) else { return true }
        guard !receivers[place: place].isLost else { return false }
        receivers[place: place].interval.interrupt()
        receivers[place: place].isLost = true
        return true
    }
}
