/// The bytes that a scripted broker sends on one connection, each with its time.
struct BrokerOutbox: Sendable {
    /// The time at which the connection is ended, if it is.
    private(set) var closing: Duration?
    private var waiting: [(due: Duration, bytes: [UInt8])] = []
    private var count = 0
    private var limit: Int?
    private var interval: Duration?

    init(_ faults: [BrokerFault]) {
        for case .cutsAnswers(let count) in faults { limit = count }
        for case .trickles(let time) in faults { interval = time }
    }

    /// The time at which the next bytes are due, or the end of the connection.
    var deadline: Duration? { waiting.first?.due ?? closing }

    /// Sends bytes at a time; bytes that are due earlier overtake those that are due later.
    mutating func send(_ bytes: [UInt8], at time: Duration) {
        guard closing == nil else { return }
        let kept = Array(bytes.prefix(limit.map { max(0, $0 - count) } ?? bytes.count))
        count += kept.count
        if let interval {
            var due = max(time, waiting.last?.due ?? time)
            for byte in kept {
                due += interval
                waiting.append((due, [byte]))
            }
        } else if !kept.isEmpty {
            let index = waiting.firstIndex { $0.due > time } ?? waiting.endIndex
            waiting.insert((time, kept), at: index)
        }
        if let limit, count >= limit { close(at: time) }
    }

    /// Ends the connection after what was sent.
    mutating func close(at time: Duration) {
        if closing == nil { closing = max(time, waiting.last?.due ?? time) }
    }

    /// Returns the bytes that are due, and whether the connection has ended with them.
    mutating func takeDue(at now: Duration) -> (bytes: [UInt8], isClosed: Bool) {
        let due = waiting.prefix { $0.due <= now }
        waiting.removeFirst(due.count)
        return (due.flatMap(\.bytes), closing.map { $0 <= now } ?? false && waiting.isEmpty)
    }
}
