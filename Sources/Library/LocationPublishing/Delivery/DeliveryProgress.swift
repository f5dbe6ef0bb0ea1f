/// The records of a queue that a target has taken, and those that are sent next.
///
/// One number is kept from one run of the program to the next, that of the oldest record that was not taken, and beside it which of the others
/// may have been sent. Records are sent in their order. Where the newest position goes first, it is sent once before all others.
package struct DeliveryProgress: Hashable, Sendable {
    /// The maximum number of records that are remembered as taken before an older one; others are sent again.
    ///
    /// Each connection that ends before the backlog was sent leaves one, and a bad network can end hundreds of them.
    static let mostAhead = 1000

    /// The number below which the target has taken every record.
    package private(set) var low: UInt64
    private let order: BacklogOrder
    /// The records that were sent and not decided, each with whether it was sent for the first time.
    private var inFlight: [UInt64: Bool] = [:]
    /// The records that may have been sent, except for those below `low`.
    private var sent: DeliveryMark
    /// The records above `low` that were taken, which the next run of the program sends again.
    private var taken: Set<UInt64> = []
    private var next: UInt64
    /// The newest position, until it was sent before all others.
    private var newest: UInt64?
    /// The number below which a newer position was sent already.
    private(set) var endOfOld: UInt64

    /// Creates the progress of a target in a queue that ends at `end`, as an earlier run has left it.
    package init(_ order: BacklogOrder, from mark: DeliveryMark, end: UInt64) {
        self.order = order
        (low, next, endOfOld) = (mark.low, mark.low, mark.low)
        // A mark is stored before records are sent, so that it can be beyond them. No record that comes now was sent.
        let end = max(end, mark.low)
        sent = DeliveryMark(
            low: mark.low, sentEnd: min(mark.sentEnd, end), ahead: mark.ahead.filter { mark.low..<end ~= $0 })
    }

    /// Returns what is kept for the next run.
    ///
    /// - Parameter margin: The number of records after those that were sent which count as sent, too.
    package func mark(margin: UInt64 = 0) -> DeliveryMark {
        DeliveryMark(low: low, sentEnd: max(sent.sentEnd, low, margin > 0 ? next + margin : 0), ahead: sent.ahead)
    }

    /// Returns whether a record may have been sent before.
    func mayHaveSent(_ number: UInt64) -> Bool { sent.mayHaveSent(number) }

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
        (inFlight, next, endOfOld, self.newest) = ([:], low, low, nil)
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
        number >= low && inFlight[number] == nil && !taken.contains(number)
    }

    package mutating func send(_ number: UInt64) {
        inFlight[number] = !mayHaveSent(number)
        guard number == newest else {
            next = number + 1
            sent.sentEnd = max(sent.sentEnd, next)
            return
        }
        newest = nil
        guard number >= sent.sentEnd else { return }
        if sent.ahead.count >= Self.mostAhead, let last = sent.ahead.max() {
            (sent.sentEnd, sent.ahead) = (max(sent.sentEnd, last + 1), [])
        }
        sent.ahead.insert(number)
    }

    /// Notes that nothing of what is in flight has left this machine.
    mutating func noteUnsent() {
        for (number, isFirst) in inFlight where isFirst {
            if sent.ahead.remove(number) == nil { sent.sentEnd = min(sent.sentEnd, number) }
        }
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
        sent.ahead = sent.ahead.filter { $0 >= low }
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
        let range = low..<max(low, min(number, inFlight.keys.min() ?? number))
        return (range, lose(range))
    }

    package mutating func take(_ numbers: [UInt64]) {
        for number in numbers {
            inFlight[number] = nil
            if number == low {
                pass()
                advance()
            } else if number > low {
                if taken.count < Self.mostAhead { taken.insert(number) } else { next = min(next, number) }
            }
        }
    }

    /// Notes that records were not taken and are sent again, before any other.
    package mutating func returnToQueue(_ numbers: [UInt64]) {
        for number in numbers {
            inFlight[number] = nil
            next = min(next, number)
        }
    }

    private mutating func pass() {
        if !sent.ahead.isEmpty { sent.ahead.remove(low) }
        low += 1
    }

    private mutating func advance() {
        while taken.remove(low) != nil { pass() }
        next = max(next, low)
    }
}
