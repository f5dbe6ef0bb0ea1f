/// The records of a queue that a target has taken, and those that are sent next.
///
/// A record is sent in one of two lanes: the records that were already queued when the connection was established are
/// *old*, and those that came later are *new*. In the order `ordered` a new record waits until the old ones were sent; in
/// the order `newestFirst` the newest record leaves the queue first, and new records overtake old ones.
package struct DeliveryProgress: Hashable, Sendable {
    /// The records that a target has taken, as it is stored between two runs of a program.
    package struct Cursor: Hashable, Sendable {
        /// The number of the oldest record that was not taken.
        package var low: UInt64
        /// The ranges of numbers above `low` that were taken, in increasing order; adjacent ranges are merged.
        package var ahead: [Range<UInt64>]

        package init(low: UInt64, ahead: [Range<UInt64>] = []) {
            self.low = low
            self.ahead = ahead
        }
    }

    /// The maximum number of ranges of a cursor; beyond it the newest ranges are dropped, and their records are sent again.
    ///
    /// In the order `newestFirst` each connection that ends before the backlog was sent leaves a range, and a bad network can
    /// end hundreds of them.
    static let mostRanges = 1000

    package private(set) var cursor: Cursor
    private let order: BacklogOrder
    private var inFlight: Set<UInt64> = []
    private var nextOld: UInt64
    private var endOfOld: UInt64
    private var nextNew: UInt64

    /// Creates the progress of a target that continues at a cursor.
    package init(_ order: BacklogOrder, from cursor: Cursor) {
        self.order = order
        self.cursor = cursor
        nextOld = cursor.low
        endOfOld = cursor.low
        nextNew = cursor.low
    }

    /// Returns how many records of a queue that ends at `end` were not taken.
    package func remaining(before end: UInt64) -> Int {
        guard end > cursor.low else { return 0 }
        let taken = cursor.ahead.reduce(0) { $0 + UInt64($1.clamped(to: cursor.low..<end).count) }
        return Int(clamping: end - cursor.low - taken)
    }

    /// Begins a connection: nothing is in flight, and the records that are queued are old.
    ///
    /// - Parameters:
    ///   - end: The number that the next record of the queue will get.
    ///   - newest: The number of the newest position, which a target that takes it first gets before all others; by default
    ///     that of the last record.
    /// - Returns: The number of records that are given up because the target takes no old ones.
    package mutating func begin(end: UInt64, newest: UInt64? = nil) -> Int {
        inFlight = []
        let end = max(end, cursor.low)
        let newest = max(cursor.low, newest ?? max(end, cursor.low + 1) - 1)
        switch order {
        case .ordered:
            (nextOld, endOfOld, nextNew) = (cursor.low, end, end)
        case .newestFirst:
            (nextOld, endOfOld, nextNew) = (cursor.low, newest, newest)
        case .none:
            let dropped = remaining(before: newest)
            take(cursor.low..<newest)
            (nextOld, endOfOld, nextNew) = (newest, newest, newest)
            return dropped
        }
        return 0
    }

    /// Returns the number of the next new record of a queue that ends at `end`, if one can be sent now.
    package mutating func newRecord(before end: UInt64) -> UInt64? {
        // The order of the records is kept by waiting until the last old one was sent.
        if order == .ordered, oldRecord() != nil { return nil }
        nextNew = firstToSend(from: nextNew)
        return nextNew < end ? nextNew : nil
    }

    /// Returns the number of the next old record, if there is one.
    package mutating func oldRecord() -> UInt64? {
        nextOld = firstToSend(from: nextOld)
        return nextOld < endOfOld ? nextOld : nil
    }

    /// Returns the number after the last record of a lane.
    func end(ofOld isOld: Bool, queueEnd: UInt64) -> UInt64 { isOld ? endOfOld : queueEnd }

    /// Returns whether a record was neither sent nor taken.
    func isToSend(_ number: UInt64) -> Bool {
        number >= cursor.low && !inFlight.contains(number) && !cursor.ahead.contains { $0.contains(number) }
    }

    package mutating func send(_ number: UInt64) {
        if number < endOfOld { nextOld = number + 1 } else { nextNew = number + 1 }
        inFlight.insert(number)
    }

    /// Notes that the queue has lost the records of a range, which are never sent, and returns how many there were.
    package mutating func lose(_ range: Range<UInt64>) -> Int {
        guard !range.isEmpty else { return 0 }
        let before = remaining(before: range.upperBound)
        take(range)
        return before - remaining(before: range.upperBound)
    }

    /// Notes that the queue has no records below a number any more, and returns the range of those that are lost.
    ///
    /// The verdict on a record that was sent can still come.
    package mutating func lose(below number: UInt64) -> (range: Range<UInt64>, count: Int) {
        let low = cursor.low
        guard number > low else { return (low..<low, 0) }
        let range = low..<min(number, inFlight.min() ?? number)
        return (range, lose(range))
    }

    package mutating func take(_ numbers: [UInt64]) {
        for number in numbers {
            inFlight.remove(number)
            take(number..<(number + 1))
        }
    }

    /// Notes that records were not taken and are sent again, before any other.
    package mutating func returnToQueue(_ numbers: [UInt64]) {
        for number in numbers {
            inFlight.remove(number)
            if number < endOfOld { nextOld = min(nextOld, number) } else { nextNew = min(nextNew, number) }
        }
    }

    private func skip(_ number: UInt64) -> UInt64 {
        var number = max(number, cursor.low)
        for range in cursor.ahead where range.contains(number) { number = range.upperBound }
        return number
    }

    private func firstToSend(from number: UInt64) -> UInt64 {
        var number = skip(number)
        while inFlight.contains(number) { number = skip(number + 1) }
        return number
    }

    private mutating func take(_ range: Range<UInt64>) {
        guard range.upperBound > cursor.low, !range.isEmpty else { return }
        var merged = max(range.lowerBound, cursor.low)..<range.upperBound
        // Acknowledgements come nearly always in order, so that the last range grows.
        if let last = cursor.ahead.last, last.upperBound == merged.lowerBound {
            cursor.ahead[cursor.ahead.count - 1] = last.lowerBound..<merged.upperBound
        } else {
            var kept: [Range<UInt64>] = []
            for other in cursor.ahead {
                if other.upperBound < merged.lowerBound || other.lowerBound > merged.upperBound {
                    kept.append(other)
                } else {
                    merged = min(other.lowerBound, merged.lowerBound)..<max(other.upperBound, merged.upperBound)
                }
            }
            kept.insert(merged, at: kept.firstIndex { $0.lowerBound > merged.lowerBound } ?? kept.count)
            cursor.ahead = kept
        }
        if let first = cursor.ahead.first, first.lowerBound <= cursor.low {
            cursor.low = first.upperBound
            cursor.ahead.removeFirst()
        }
        if cursor.ahead.count > Self.mostRanges { cursor.ahead.removeLast(cursor.ahead.count - Self.mostRanges) }
    }
}
