/// A queue of updates for a consumer, with one of two policies for a slow one.
package struct UpdateQueue {
    /// The fate of updates while the consumer is slow.
    package enum Backpressure: Hashable, Sendable {
        /// A live source cannot wait: at most `capacity` positions and sky views are kept, and a notice with the number of dropped
        /// updates takes their place.
        case drops(capacity: Int = 256)
        /// A file waits until the consumer has taken everything.
        case waits
    }

    /// The greatest number of pending updates of all kinds.
    private static let limit = 4096

    private var backlog: Backlog<LocationUpdate>
    private let backpressure: Backpressure
    /// The greatest number of pending positions and sky views.
    private let capacity: Int
    /// The number of pending notices of skipped lines.
    private var skipNotices = 0
    private var dropped = DroppedCount()
    private var droppedAt: Moment?

    package init(_ backpressure: Backpressure) {
        self.backpressure = backpressure
        capacity = if case .drops(let capacity) = backpressure { max(1, capacity) } else { .max }
        backlog = Backlog(limit: max(Self.limit, capacity), measurementLimit: capacity)
    }

    /// Whether the source does not wait for the consumer.
    package var drops: Bool { backpressure != .waits }

    package var isEmpty: Bool { backlog.isEmpty && droppedAt == nil }

    package mutating func removeAll() { self = UpdateQueue(backpressure) }

    package mutating func append(_ update: LocationUpdate) {
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

    /// Removes the first update; the notice of dropped updates takes the place of the first of them, so that moments
    /// never decrease.
    package mutating func popFirst() -> LocationUpdate? {
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

    /// Merges a notice of skipped lines into the last one, so that a peer that sends only invalid lines cannot fill the
    /// queue.
    private mutating func addToLastSkipped(_ count: Int) -> Bool {
        backlog.changeLast { update in
            guard case .linesSkipped(let before, let cause) = update.event.notice else { return false }
            update.event = .notice(.linesSkipped(count: before + count, cause: cause))
            return true
        }
    }
}

extension LocationEvent {
    fileprivate var backlogKind: Backlog<LocationUpdate>.Kind {
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
