/// The records of a queue that a target has taken, and those that are sent next.
///
/// One number is kept from one run of the program to the next: that of the oldest record that was not taken. Records are sent in their
/// order. Where the newest position goes first, it is sent once before all others.
package struct DeliveryProgress: Hashable, Sendable {
    /// The maximum number of records that are remembered as taken before an older one; others are sent again.
    ///
    /// Each connection that ends before the backlog was sent leaves one, and a bad network can end hundreds of them.
    static let mostAhead = 1000

    /// The number below which the target has taken every record.
    package private(set) var low: UInt64
    private let order: BacklogOrder
    private var inFlight: Set<UInt64> = []
    /// The records above `low` that were taken, which the next run of the program sends again.
    private var taken: Set<UInt64> = []
    private var next: UInt64
    /// The newest position, until it was sent before all others.
    private var newest: UInt64?
    /// The number below which a newer position was sent already.
    private(set) var endOfOld: UInt64

    /// Creates the progress of a target that has taken every record below a number.
    package init(_ order: BacklogOrder, from low: UInt64) {
        self.order = order
        (self.low, next, endOfOld) = (low, low, low)
    }

    /// Returns how many records of a queue that ends at `end` were not taken.
    package func remaining(before end: UInt64) -> Int {
        end > low ? max(0, Int(clamping: end - low) - taken.count) : 0
    }

    /// Begins a connection, with nothing in flight.
    ///
    /// - Parameters:
    ///   - end: The number that the next record of the queue will get.
    ///   - newest: The number of the newest position, if it is known.
    /// - Returns: The number of records that are given up because the target takes only the newest.
    package mutating func begin(end: UInt64, newest: UInt64?) -> Int {
        (inFlight, next, endOfOld, self.newest) = ([], low, low, nil)
        let end = max(end, low)
        switch order {
        case .ordered: return 0
        case .newestFirst:
            guard let newest, newest > low else { return 0 }
            endOfOld = newest
            self.newest = taken.contains(newest) ? nil : newest
            return 0
        case .none: return lose(low..<max(low, newest ?? max(end, low + 1) - 1))
        }
    }

    /// Returns the numbers of the records that are sent next of a queue that ends at `end`, from the oldest on.
    package func nextRecords(before end: UInt64) -> Range<UInt64> {
        if let newest { return newest..<newest + 1 }
        var first = max(next, low)
        while !isToSend(first) { first += 1 }
        return first < endOfOld ? first..<endOfOld : first..<max(first, end)
    }

    /// Returns whether a record was neither sent nor taken.
    func isToSend(_ number: UInt64) -> Bool {
        number >= low && !inFlight.contains(number) && !taken.contains(number)
    }

    package mutating func send(_ number: UInt64) {
        if number == newest { newest = nil } else { next = number + 1 }
        inFlight.insert(number)
    }

    /// Gives up sending the newest position before all others, if that is next; returns whether it was.
    mutating func forgetNewest() -> Bool {
        defer { newest = nil }
        return newest != nil
    }

    /// Notes that the queue has lost the oldest records that were not taken, and returns how many there were.
    package mutating func lose(_ range: Range<UInt64>) -> Int {
        guard range.lowerBound <= low, range.upperBound > low else { return 0 }
        let lost = range.upperBound - low - UInt64(taken.count { $0 < range.upperBound })
        low = range.upperBound
        taken = taken.filter { $0 >= low }
        if let newest, newest < low { self.newest = nil }
        advance()
        return Int(clamping: lost)
    }

    /// Notes that the queue has no records below a number any more, and returns the range of those that are lost.
    ///
    /// The verdict on a record that was sent can still come.
    package mutating func lose(below number: UInt64) -> (range: Range<UInt64>, count: Int) {
        let low = low
        guard number > low else { return (low..<low, 0) }
        let range = low..<max(low, min(number, inFlight.min() ?? number))
        return (range, lose(range))
    }

    package mutating func take(_ numbers: [UInt64]) {
        for number in numbers {
            inFlight.remove(number)
            if number == low {
                low += 1
                advance()
            } else if number > low {
                if taken.count < Self.mostAhead { taken.insert(number) } else { next = min(next, number) }
            }
        }
    }

    /// Notes that records were not taken and are sent again, before any other.
    package mutating func returnToQueue(_ numbers: [UInt64]) {
        for number in numbers {
            inFlight.remove(number)
            next = min(next, number)
        }
    }

    private mutating func advance() {
        while taken.remove(low) != nil { low += 1 }
        next = max(next, low)
    }
}
