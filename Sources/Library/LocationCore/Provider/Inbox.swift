/// The place at which the updates of a session wait for its reader, and the reader for them.
///
/// The owner guards it with a lock, and sends a reply outside of the lock, because the reader goes on within it.
package struct Inbox: ~Copyable {
    /// The fate of updates while the reader is slow.
    package enum Backpressure: Hashable, Sendable {
        /// A live source cannot wait: at most `capacity` positions and sky views are kept, and a notice with the number of dropped
        /// updates takes their place.
        case drops(capacity: Int = 256)
        /// A file waits until the reader has taken everything.
        case waits
    }

    /// The answer to a reader that waits.
    package struct Reply: Sendable {
        fileprivate let reader: @Sendable (SessionAnswer) -> Void
        fileprivate let answer: SessionAnswer

        package func send() { reader(answer) }
    }

    private struct Waiter {
        let deadline: Moment?
        let reader: @Sendable (SessionAnswer) -> Void
    }

    /// The greatest number of pending updates of all kinds.
    private static let limit = 4096

    private var backlog: Backlog<LocationUpdate>
    /// The greatest number of pending positions and sky views.
    private let capacity: Int
    /// The number of pending notices of skipped lines.
    private var skipNotices = 0
    private var dropped = DroppedCount()
    private var droppedAt: Moment?
    private var ending: SessionAnswer?
    private var waiter: Waiter?
    /// Whether the next wait ends at once.
    private var isWoken = false
    /// The moment of the last update that was taken, or the last deadline that was reached.
    package private(set) var reached: Moment?

    package init(_ backpressure: Backpressure) {
        capacity = if case .drops(let capacity) = backpressure { max(1, capacity) } else { .max }
        backlog = Backlog(limit: max(Self.limit, capacity), measurementLimit: capacity)
    }

    // MARK: The session

    /// Whether updates are still admitted.
    package var isOpen: Bool { ending == nil }

    package mutating func put(_ update: LocationUpdate) {
        if case .linesSkipped(let count, _) = update.event.notice {
            if skipNotices >= capacity, addToLastSkipped(count) { return }
            skipNotices += 1
        }
        var (dropped, droppedAt, skipNotices) = (dropped, droppedAt, skipNotices)
        backlog.append(update, update.event.backlogKind) { update, kind in
            if case .linesSkipped = update.event.notice { skipNotices -= 1 }
            // A superseded search does not count as dropped.
            if case .replaceable = kind { return }
            dropped.add(kind)
            droppedAt = min(droppedAt ?? update.moment, update.moment)
        }
        (self.dropped, self.droppedAt, self.skipNotices) = (dropped, droppedAt, skipNotices)
    }

    /// Admits nothing more; the reader gets what waits for it, and then the end, or an error and the end.
    package mutating func finish(throwing error: LocationError? = nil) {
        ending = ending ?? error.map { .failure($0) } ?? .success(.end)
    }

    /// Drops what waits, and ends the session for its reader.
    package mutating func stop() {
        backlog = Backlog(limit: 0)
        (dropped, droppedAt) = (DroppedCount(), nil)
        ending = .success(.end)
    }

    /// Merges a notice of skipped lines into the last one, so that a peer that sends only invalid lines cannot fill the
    /// inbox.
    private mutating func addToLastSkipped(_ count: Int) -> Bool {
        backlog.changeLast { update in
            guard case .linesSkipped(let before, let cause) = update.event.notice else { return false }
            update.event = .notice(.linesSkipped(count: before + count, cause: cause))
            return true
        }
    }

    // MARK: The reader

    /// Whether no update waits for the reader.
    package var isEmpty: Bool { backlog.isEmpty && droppedAt == nil }

    /// Whether a reader waits.
    package var isAwaited: Bool { waiter != nil }

    /// The moment at which the wait of the reader ends, if it waits for one.
    package var deadline: Moment? { waiter?.deadline }

    /// Returns the step that is there for a reader, if any.
    package mutating func take() -> SessionAnswer? {
        if let update = popFirst() {
            reached = update.moment
            return .success(.update(update))
        }
        if let ending {
            self.ending = .success(.end)
            return ending
        }
        guard isWoken else { return nil }
        isWoken = false
        return .success(.woken)
    }

    /// Removes the first update; the notice of dropped updates takes the place of the first of them, so that moments
    /// never decrease.
    private mutating func popFirst() -> LocationUpdate? {
        if let moment = droppedAt, backlog.first.map({ $0.moment >= moment }) ?? true {
            defer {
                dropped = DroppedCount()
                droppedAt = nil
            }
            return LocationUpdate(.notice(dropped.notice), at: moment)
        }
        guard let update = backlog.popFirst() else { return nil }
        if case .linesSkipped = update.event.notice { skipNotices -= 1 }
        return update
    }

    /// Lets a reader wait, unless there is a step for it, which is returned.
    package mutating func wait(
        until deadline: Moment?, _ reader: @escaping @Sendable (SessionAnswer) -> Void
    ) -> Reply? {
        if let answer = take() { return Reply(reader: reader, answer: answer) }
        waiter = Waiter(deadline: deadline, reader: reader)
        return nil
    }

    /// Returns the step that is there for a reader that waits, if any.
    package mutating func reply() -> Reply? {
        guard waiter != nil, let answer = take() else { return nil }
        return reply(answer)
    }

    /// Ends the wait of a reader whose deadline has been reached.
    package mutating func endWait(at deadline: Moment) -> Reply? {
        reached = max(reached ?? deadline, deadline)
        return reply(.success(.quiet))
    }

    /// Ends the wait of a reader, or else the next one, so that it begins again with another deadline.
    package mutating func wake() -> Reply? {
        isWoken = waiter == nil
        return reply(.success(.woken))
    }

    private mutating func reply(_ answer: SessionAnswer) -> Reply? {
        waiter.take().map { Reply(reader: $0.reader, answer: answer) }
    }
}

extension LocationEvent {
    fileprivate var backlogKind: BacklogKind {
        switch self {
        case .location: .location
        case .satellites: .sky
        // A compass reports many times a second.
        case .attitude(let attitude): .replaceable("attitude \(attitude.device ?? "")")
        // A continuing search is reported again and again; only the newest report of a receiver matters.
        case .searching(.noFix, let device): .replaceable(device ?? "")
        case .searching, .failure, .device, .receiver, .clock, .authorization, .line, .notice, .other: .other
        }
    }
}
