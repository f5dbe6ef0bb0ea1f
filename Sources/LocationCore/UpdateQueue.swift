/// Updates in waiting, bounded for what is measured again and again; what had to be dropped is counted in its place.
struct UpdateQueue: ~Copyable {
    private var updates: [LocationUpdate] = []
    private var head = 0
    private var measurements = 0
    private var skipNotices = 0
    private var dropped = (locations: 0, skyViews: 0)
    private var droppedAt: Moment?

    init() {}

    var isEmpty: Bool { head == updates.count && droppedAt == nil }

    mutating func append(_ update: LocationUpdate, capacity: Int) {
        if case .notice(.linesSkipped(let count, _)) = update.event {
            if skipNotices >= capacity, addToLastSkipped(count) { return }
            skipNotices += 1
        }
        updates.append(update)
        guard update.event.measurement != nil else { return }
        measurements += 1
        if measurements > capacity { dropOldest() }
    }

    /// The notice of what was dropped comes where the first of that was, so that moments never go back.
    mutating func removeFirst() -> LocationUpdate? {
        if let moment = droppedAt, head == updates.count || updates[head].moment >= moment {
            defer {
                dropped = (0, 0)
                droppedAt = nil
            }
            return LocationUpdate(
                .notice(.dropped(locations: dropped.locations, skyViews: dropped.skyViews)), at: moment)
        }
        guard head < updates.count else { return nil }
        let update = updates[head]
        if update.event.measurement != nil { measurements -= 1 }
        if case .notice(.linesSkipped) = update.event { skipNotices -= 1 }
        remove(at: head)
        return update
    }

    /// A peer that sends nothing but rubbish must not fill the memory of a consumer that has stopped reading.
    private mutating func addToLastSkipped(_ count: Int) -> Bool {
        for index in updates[head...].indices.reversed() {
            guard case .notice(.linesSkipped(let before, let cause)) = updates[index].event else { continue }
            updates[index].event = .notice(.linesSkipped(count: before + count, cause: cause))
            return true
        }
        return false
    }

    private mutating func dropOldest() {
        guard let index = oldest(.location) ?? oldest(.satellites) ?? oldestSupersededSearch() else { return }
        let update = updates[index]
        switch update.event.measurement {
        case .location: dropped.locations += 1
        case .satellites: dropped.skyViews += 1
        case .search, nil: break
        }
        if update.event.measurement != .search { droppedAt = min(droppedAt ?? update.moment, update.moment) }
        measurements -= 1
        remove(at: index)
    }

    private func oldest(_ measurement: LocationEvent.Measurement) -> Int? {
        updates[head...].firstIndex { $0.event.measurement == measurement }
    }

    /// A search that goes on is told with every report; only the newest of a receiver matters.
    private func oldestSupersededSearch() -> Int? {
        updates[head...].indices.first { index in
            updates[index].event.measurement == .search
                && updates[(index + 1)...].contains {
                    $0.event.measurement == .search && $0.event.device == updates[index].event.device
                }
        }
    }

    /// Removing at the front only moves the head; the room behind it is given back when it is half of all.
    private mutating func remove(at index: Int) {
        guard index == head else {
            updates.remove(at: index)
            return
        }
        head += 1
        if head * 2 > updates.count {
            updates.removeFirst(head)
            head = 0
        }
    }
}

extension LocationEvent {
    /// What is told again and again, so that a newer one takes the place of an older one.
    fileprivate enum Measurement {
        case location, satellites, search
    }

    fileprivate var measurement: Measurement? {
        switch self {
        case .location: .location
        case .satellites: .satellites
        case .searching(.noFix, _): .search
        case .searching, .failure, .device, .receiver, .authorization, .line, .notice: nil
        }
    }
}
