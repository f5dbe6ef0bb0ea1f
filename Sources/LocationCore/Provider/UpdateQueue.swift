/// The updates that wait for a slow consumer, bounded; what had to be dropped is counted in its place.
struct UpdateQueue {
    /// The number of updates of all kinds that may wait.
    private static let limit = 4096

    private var backlog: Backlog<LocationUpdate>
    private let capacity: Int
    private var skipNotices = 0
    private var dropped = DroppedCount()
    private var droppedAt: Moment?

    /// A queue of at most so many positions and sky views.
    init(capacity: Int) {
        self.capacity = capacity
        backlog = Backlog(limit: max(Self.limit, capacity), measurementLimit: capacity)
    }

    var isEmpty: Bool { backlog.isEmpty && droppedAt == nil }

    mutating func append(_ update: LocationUpdate) {
        if case .notice(.linesSkipped(let count, _)) = update.event {
            if skipNotices >= capacity, addToLastSkipped(count) { return }
            skipNotices += 1
        }
        var (dropped, droppedAt) = (dropped, droppedAt)
        backlog.append(update, update.event.backlogKind) { update, kind in
            // A search that is superseded is no loss.
            if case .replaceable = kind { return }
            dropped.add(kind)
            droppedAt = min(droppedAt ?? update.moment, update.moment)
        }
        (self.dropped, self.droppedAt) = (dropped, droppedAt)
    }

    /// Removes the first update; the notice of what was dropped comes where the first of that was, so that moments never go back.
    mutating func popFirst() -> LocationUpdate? {
        if let moment = droppedAt, backlog.first.map({ $0.moment >= moment }) ?? true {
            defer {
                dropped = DroppedCount()
                droppedAt = nil
            }
            return LocationUpdate(.notice(dropped.notice), at: moment)
        }
        guard let update = backlog.popFirst() else { return nil }
        if case .notice(.linesSkipped) = update.event { skipNotices -= 1 }
        return update
    }

    /// A peer that sends nothing but invalid lines must not fill the queue with notices.
    private mutating func addToLastSkipped(_ count: Int) -> Bool {
        backlog.changeLast { update in
            guard case .notice(.linesSkipped(let before, let cause)) = update.event else { return false }
            update.event = .notice(.linesSkipped(count: before + count, cause: cause))
            return true
        }
    }
}

extension LocationEvent {
    /// What the event is to a consumer that cannot have everything.
    fileprivate var backlogKind: Backlog<LocationUpdate>.Kind {
        switch self {
        case .location: .location
        case .satellites: .sky
        // A search that continues is reported again and again; only the newest of a receiver matters.
        case .searching(.noFix, let device): .replaceable(device ?? "")
        case .searching, .failure, .device, .receiver, .authorization, .line, .notice: .other
        }
    }
}
