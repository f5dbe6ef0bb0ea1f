import LocationCore

/// The delivery of a queue's records to one target: it connects, sends, tries again, and remembers what was taken.
///
/// It has no thread and no clock. The caller polls the transport's descriptor until `deadline`, and then calls `step`.
package final class TargetDelivery {
    package struct Options: Hashable, Sendable {
        /// The order in which records are sent after an outage.
        package var backlog = BacklogOrder.ordered
        /// The largest number of records in one call of the transport.
        package var batchSize = 1
        /// The seed of the delays between attempts.
        package var seed: UInt64 = 0
    }

    /// The number of times that a target refuses a record before it is set aside.
    private static let mostRejections = 5
    /// The number of records among which the newest position is searched.
    private static let lookBack: UInt64 = 64
    /// The time after which a queue that cannot be read is tried again.
    private static let readingPause = Duration.seconds(1)
    /// The time after which records that were taken are stored, or the number of them: a transaction for each costs as much as the rest.
    private static let storing = (pause: Duration.milliseconds(500), count: UInt64(100))
    /// The number of records beyond those that were sent that are stored as sent, so that not each needs a transaction of its own.
    private static let sentMargin: UInt64 = 128
    /// The time before the end at which a target that could not be reached is tried once more.
    private static let lastAttempt = Duration.seconds(1)

    /// The state of the delivery, except for the number of queued records.
    private var current = DeliveryStatus()

    private let transport: any DeliveryTransport
    let place: any TargetPlace
    private let options: Options
    private var progress: DeliveryProgress
    /// The mark that was stored last.
    private var stored: DeliveryMark
    /// The time at which the records that were taken since then are stored.
    private var nextStore: Duration?
    private var backoff: Backoff
    private let server: ServerPause
    /// The time at which the target accepted the connection, while there is one.
    private var acceptance: Duration?
    /// The number of times that the target has refused each record as such.
    private var rejections: [UInt64: Int] = [:]
    /// The number below which records go one by one, because the target has refused several of them together.
    private var endOfSingles: UInt64 = 0
    /// The time at which the queue is read again after a failure.
    private var nextReading: Duration?
    /// The time after which the connection is ended even if records are left.
    private var end: Duration?

    /// Creates the delivery of the records that the last run has left.
    ///
    /// - Parameter server: The pause of the server, which other targets can share.
    package init(
        _ transport: any DeliveryTransport, _ place: any TargetPlace, options: Options = Options(),
        server: ServerPause = ServerPause()
    ) {
        self.server = server
        self.transport = transport
        self.place = place
        self.options = options
        stored = place.stored
        progress = DeliveryProgress(options.backlog, from: stored, end: place.end)
        // Many machines can have one server, so that nearly the whole pause is random. Not less than a tenth of it is waited, because an
        // attempt at once would only meet the same failure.
        backoff = Backoff(RetryPauses(longest: .seconds(300), seed: options.seed), waiting: 0.1...1)
        // Records that come now must not count as sent by the last run, also if this one is killed.
        store()
    }

    /// The state of the delivery, which counts every record that the queue has at this time.
    package var status: DeliveryStatus { status(before: place.end) }

    /// The state of the delivery of a queue that ends at `end`.
    package func status(before end: UInt64) -> DeliveryStatus {
        var status = current
        status.queued = progress.remaining(before: end)
        return status
    }

    /// A closure that is called with the numbers of records whose fate is decided.
    package var onFate: ((RecordFate, Range<UInt64>) -> Void)?

    /// The descriptor to poll, or −1, and the events to poll it for.
    package var poll: (descriptor: Int32, events: Int16) { transport.poll }

    /// The time at which `step` is called if the descriptor is not ready before.
    package func deadline(after now: Duration) -> Duration? {
        var times: [Duration] = []
        if let deadline = transport.deadline { times.append(deadline) }
        switch current.phase {
        case .waiting(_, let until), .held(_, let until): times.append(until)
        case .ready, .connected:
            if let nextReading { times.append(nextReading) }
        default: break
        }
        if let end, current.phase != .closing { times.append(end) }
        if let nextStore { times.append(nextStore) }
        return times.min()
    }

    package var isClosed: Bool { current.phase == .closed }

    /// The number below which the target has taken every record.
    var low: UInt64 { progress.low }

    /// Ends the delivery: everything that is queued is still sent if that is possible before `limit`.
    package func finish(by limit: Duration) { end = limit }

    /// Ends the delivery at once, without a goodbye.
    package func abandon() {
        current.phase = .closed
        store()
    }

    /// Tries to connect at once, and sends what is queued.
    package func retry(at now: Duration) {
        switch current.phase {
        case .waiting, .held: connect(at: now)
        default: break
        }
    }

    package func step(at now: Duration) {
        transport.step(at: now) { respond(to: $0, at: now) }
        switch current.phase {
        case .idle: connect(at: now)
        case .waiting(_, let until), .held(_, let until): if now >= until { connect(at: now) }
        case .connecting, .ready, .connected, .closing, .closed: break
        }
        send(at: now)
        endIfDue(at: now)
        if isClosed || nextStore.map({ now >= $0 }) ?? false { store() }
    }

    private func connect(at now: Duration) {
        current.phase = .connecting
        transport.open(at: now)
        // A transport without a connection is open at once.
        transport.step(at: now) { respond(to: $0, at: now) }
    }

    private func respond(to event: DeliveryEvent, at now: Duration) {
        switch event {
        case .opened(let isAccepted):
            guard current.phase == .connecting else { return }
            current.phase = isAccepted ? .connected : .ready
            acceptance = isAccepted ? now : nil
            let low = progress.low
            let dropped = progress.begin(end: place.end, newest: newestPosition())
            current.dropped += UInt64(dropped)
            current.outdated += UInt64(dropped)
            if dropped > 0 { onFate?(.dropped, low..<progress.low) }
            store()
        case .decided(let verdict, let numbers): respond(to: verdict, on: numbers, at: now)
        case .unsent: progress.noteUnsent()
        case .failed(let cause, let isRefusal): fail(cause, isRefusal: isRefusal, least: nil, at: now)
        case .closed: current.phase = .closed
        }
    }

    private func respond(to verdict: DeliveryVerdict, on numbers: [UInt64], at now: Duration) {
        switch verdict {
        case .taken:
            backoff.succeed()
            server.noteSuccess()
            if current.phase == .ready { current.phase = .connected }
            current.taken += UInt64(numbers.count)
            current.lastTaken = now
            current.lastObstacle = nil
            finish(numbers, .taken, at: now)
        case .omitted:
            current.omitted += UInt64(numbers.count)
            finish(numbers, .omitted, at: now)
        case .tryAgain(let cause, let after):
            progress.returnToQueue(numbers)
            fail(cause, isRefusal: false, least: after, at: now)
        case .refused(let cause):
            progress.returnToQueue(numbers)
            fail(cause, isRefusal: true, least: nil, at: now)
        case .rejected(let cause): reject(numbers, cause, at: now)
        }
    }

    /// Tries records again that the target has refused as such, or sets one aside that it has refused often enough.
    ///
    /// Which of several records it means is known only when they are sent one by one.
    private func reject(_ numbers: [UInt64], _ cause: String, at now: Duration) {
        if numbers.count == 1, let number = numbers.first {
            let count = rejections[number, default: 0] + 1
            guard count < Self.mostRejections else {
                current.rejected += 1
                current.lastObstacle = cause
                return finish(numbers, .rejected, at: now)
            }
            rejections[number] = count
        }
        endOfSingles = max(endOfSingles, (numbers.max() ?? 0) + 1)
        progress.returnToQueue(numbers)
        fail(cause, isRefusal: false, least: nil, at: now, concernsServer: false)
    }

    /// Returns the number of the newest position among the last records, or `nil` if there is none.
    ///
    /// An event at a fence is not retained by a broker, so it does not tell new subscribers where the device is.
    private func newestPosition() -> UInt64? {
        let end = place.end
        let start = max(progress.low, end - min(end, Self.lookBack))
        guard start < end, options.backlog != .ordered else { return nil }
        return place.records(from: start, limit: Int(clamping: end - start))?
            .last(where: \.record.isPosition)?.number
    }

    private func finish(_ numbers: [UInt64], _ fate: RecordFate, at now: Duration) {
        progress.take(numbers)
        if !rejections.isEmpty { for number in numbers { rejections[number] = nil } }
        storeTogether(at: now)
        if let onFate { for number in numbers { onFate(fate, number..<(number + 1)) } }
    }

    /// Lets the records that were taken be stored together with others.
    private func storeTogether(at now: Duration) {
        guard place.survives, progress.low != stored.low else { return }
        if progress.low - stored.low >= Self.storing.count { return store() }
        nextStore = nextStore ?? now + Self.storing.pause
    }

    /// Stores before records are sent that they may have been.
    private func storeSent(_ records: [QueuedRecord]) {
        guard place.survives, records.contains(where: { !stored.mayHaveSent($0.number) }) else { return }
        store()
    }

    /// Stores what the target has taken, and what it may have got, with a margin while more is sent.
    func store() {
        nextStore = nil
        let mark = progress.mark(margin: isOpen ? Self.sentMargin : 0)
        guard mark != stored else { return }
        stored = mark
        place.store(mark)
    }

    private func fail(
        _ cause: String, isRefusal: Bool, least: Duration?, at now: Duration, concernsServer: Bool = true
    ) {
        switch current.phase {
        // A later failure changes nothing before the next attempt, such as the end of the connection after a refusal.
        case .held: return
        case .waiting where !isRefusal: return
        default: break
        }
        if let acceptance { backoff.noteEnd(after: now - acceptance) }
        acceptance = nil
        current.lastObstacle = cause
        guard current.phase != .closing, current.phase != .closed else {
            current.phase = .closed
            return
        }
        if isRefusal {
            current.phase = .held(cause: cause, until: now + backoff.refuse())
        } else {
            let own = now + backoff.fail(least: least)
            let until = concernsServer ? server.next(own, isAsked: least != nil, at: now) : own
            current.phase = .waiting(cause: cause, until: until)
        }
    }

    private var isComplete: Bool { progress.remaining(before: place.end) == 0 }

    private var isOpen: Bool { current.phase == .ready || current.phase == .connected }

    private func send(at now: Duration) {
        guard isOpen else { return }
        if let time = nextReading, now < time { return }
        nextReading = nil
        while isOpen, transport.room > 0 {
            let numbers = progress.nextRecords(before: place.end)
            guard !numbers.isEmpty, send(numbers, at: now) else { return }
        }
    }

    /// Sends the first records of a range, and returns whether others can follow at once.
    private func send(_ numbers: Range<UInt64>, at now: Duration) -> Bool {
        let limit = numbers.lowerBound < endOfSingles ? 1 : min(transport.room, options.batchSize)
        guard let found = place.records(from: numbers.lowerBound, limit: limit) else {
            nextReading = now + Self.readingPause
            return false
        }
        // A record that the queue has lost between others is counted when all before it are decided.
        let first = min(found.first?.number ?? numbers.upperBound, numbers.upperBound)
        if first > numbers.lowerBound {
            if progress.forgetNewest() { return true }
            guard progress.low == numbers.lowerBound else { return false }
            lose(numbers.lowerBound..<first)
            return true
        }
        var records: [QueuedRecord] = []
        for (number, record) in zip(numbers, found) {
            guard record.number == number, progress.isToSend(number) else { break }
            records.append(record)
            records[records.count - 1].record.isRepeated = progress.mayHaveSent(number)
            progress.send(number)
        }
        storeSent(records)
        transport.send(records, isOld: numbers.lowerBound < progress.endOfOld, at: now)
        return true
    }

    private func lose(_ range: Range<UInt64>) {
        current.dropped += UInt64(progress.lose(range))
        onFate?(.dropped, range)
        store()
    }

    /// Notes the records that the queue has removed although they were not taken, such as because it was full.
    func noteLosses() {
        let (range, count) = progress.lose(below: place.start)
        guard !range.isEmpty else { return }
        current.dropped += UInt64(count)
        onFate?(.dropped, range)
        store()
    }

    private func closeAtOnce(at now: Duration) {
        transport.close(at: now)
        current.phase = .closed
    }

    private func endIfDue(at now: Duration) {
        guard let end else { return }
        switch current.phase {
        case .ready, .connected:
            if isComplete || now >= end {
                current.phase = .closing
                transport.close(at: now)
                transport.step(at: now) { respond(to: $0, at: now) }
            }
        case .idle, .connecting: if isComplete || now >= end { closeAtOnce(at: now) }
        case .waiting(let cause, let until):
            let last = end - Self.lastAttempt
            if !isComplete, until > last, now < last {
                current.phase = .waiting(cause: cause, until: last)
            } else if isComplete || max(now, until) >= end {
                closeAtOnce(at: now)
            }
        // Another attempt soon does not change a refusal.
        case .held(_, let until): if isComplete || max(now, until) >= end { closeAtOnce(at: now) }
        case .closing, .closed: break
        }
    }
}
