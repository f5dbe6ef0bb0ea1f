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
    private var isReversed = false
    /// The elements that are held back, each with the latest time of its receiver until then.
    private var held: [(element: ReadElement, time: Timestamp)] = []
    private var latest = PerDevice<Timestamp>()
    /// The silences, if the file has the points of all receivers in the order of their times.
    private var silences: ReceiverSilences?
    /// The elements that follow a pause, until it is known which receivers have ended with it.
    private var waiting: [ReadElement] = []
    /// The number of them.
    private static let waitingLimit = 256

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
        passWaiting()
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

    /// Passes an element on in the order of the file, after the losses of receivers that are silent.
    private func pass(_ element: ReadElement, of device: String?, at time: Timestamp) {
        if case .gap = element {
            guard silences?.interrupt(device) != false else { return }
        } else {
            silences?.note(device, at: time)
        }
        waiting.append(element)
        guard silences?.isUndecided == true, waiting.count < Self.waitingLimit else { return passWaiting() }
    }

    private func passWaiting() {
        for silence in silences?.takeLosses() ?? [] { emit(.gap(silence.time, device: silence.device)) }
        for element in waiting { emit(element) }
        waiting.removeAll(keepingCapacity: true)
    }
}
