import LocationCore
import LocwatchArguments
import LocwatchPrinting
import LocwatchSupport

/// A state machine that turns the updates of a session into events for hooks.
struct HookDetector {
    private let hooks: [Hook]
    /// The intervals of the hooks of positions, each once, with the filter of the positions for them.
    private var filters: [(interval: Duration?, filter: LocationFilter)]
    private let printer: JSONPrinter
    /// Whether each receiver stood still.
    private var stillness = PerDevice<Bool>()
    /// The error that was reported last, unless the source has answered since.
    private var lastError: LocationError?

    init(_ settings: Settings) {
        hooks = settings.reactions.hooks
        let intervals = Set(hooks.filter { $0.trigger.kind == .every }.map(\.trigger.interval))
        filters = intervals.map { interval in
            var request = settings.request
            if let interval { request.minimumInterval = max(interval, request.minimumInterval ?? .zero) }
            return (interval, LocationFilter(request))
        }
        printer = JSONPrinter(precision: settings.output.precision, source: settings.source)
    }

    /// Processes an update; returns the events that it causes and for which there is a hook, with its line.
    mutating func events(of update: TrackedUpdate, _ view: SessionView) -> [HookEvent] {
        var events = causedEvents(of: update, view).filter { event in hooks.contains { $0.trigger.matches(event) } }
        guard !events.isEmpty else { return [] }
        var line = TextBuffer()
        printer.print(update, view, into: &line)
        for index in events.indices { events[index].json = line.bytes }
        return events
    }

    private mutating func causedEvents(of update: TrackedUpdate, _ view: SessionView) -> [HookEvent] {
        switch update {
        case .transition(let transition):
            return [change(update, view), failure(transition)].compactMap(\.self)
        case .deviceTransition: return [change(update, view)].compactMap(\.self)
        case .handover(let handover):
            var event = HookEvent(.handover)
            event.device = handover.to
            event.note(from: handover.from, to: handover.to, reason: handover.reason.code, at: handover.moment)
            return [event]
        case .fence(let event):
            // A dwell comes without a position.
            let accuracy = event.kind == .dwell ? nil : location(of: event, view)?.horizontalAccuracy
            return [stay(event, accuracy: accuracy, view.place(of: event))].compactMap(\.self)
        case .integrity(let change):
            var event = event(.integrity, at: view[change.device]?.lastLocation)
            event.device = change.device
            event.note(
                from: change.from.rawValue, to: change.to.rawValue, reason: change.reasons.codes.joined(separator: " "),
                at: change.moment)
            guard change.to == .alarm, change.from != .alarm else { return [event] }
            var alarm = event
            alarm.kind = .alarm
            return [event, alarm]
        case .update(let source, let standing):
            // A machine with a name can have fences of its own.
            if case .fence(let event) = source.event.notice { return [stay(event, accuracy: nil)].compactMap(\.self) }
            guard standing == .current, let location = source.location else { return [] }
            return events(at: location, of: source, view)
        case .failureEnded: return []
        }
    }

    private func location(of event: FenceEvent, _ view: SessionView) -> Location? {
        if let device = event.device { view[device]?.lastLocation } else { view.location }
    }

    // MARK: States

    private func change(_ update: TrackedUpdate, _ view: SessionView) -> HookEvent? {
        guard let (_, transition) = view.subjectChange(of: update) else { return nil }
        let (old, new) = (transition.from.location, transition.to.location)
        guard (old == nil) != (new == nil) else { return nil }
        return event(new == nil ? .lost : .found, of: transition, at: new ?? old)
    }

    /// Returns the event of an error, once until the source has answered.
    private mutating func failure(_ transition: StateChange) -> HookEvent? {
        switch transition.to {
        case .searching(.starting), .searching(.connecting): return nil
        case .found, .searching:
            lastError = nil
            return nil
        case .error(let error):
            guard error != lastError else { return nil }
            lastError = error
            // It concerns the source, whatever position there was before.
            return event(.error, of: transition, at: nil)
        }
    }

    private func event(_ kind: HookTrigger.TriggerKind, of transition: StateChange, at location: Location?) -> HookEvent
    {
        var event = event(kind, at: location)
        event.device = transition.device ?? event.device
        event.note(
            from: transition.from.code, to: transition.to.code, reason: transition.reason.code,
            at: transition.beginning)
        return event
    }

    // MARK: Positions

    /// Returns the events of a current position, and that of a receiver that has come to a standstill, or moves again.
    private mutating func events(
        at location: Location, of update: LocationUpdate, _ view: SessionView
    ) -> [HookEvent] {
        var events: [HookEvent] = []
        let isStill = view[location.device]?.isStationary ?? false
        if stillness[location.device] ?? false != isStill {
            stillness.set(isStill, for: location.device)
            events.append(event(isStill ? .stationary : .moving, at: location))
            events[0].time = location.received ?? update.moment.wall
        }
        for index in filters.indices where filters[index].filter.admits(update) {
            var event = event(.every, at: location)
            event.interval = filters[index].interval
            event.time = location.timestamp ?? location.received ?? update.moment.wall
            events.append(event)
        }
        return events
    }

    private func event(_ kind: HookTrigger.TriggerKind, at location: Location?) -> HookEvent {
        var event = HookEvent(kind)
        event.device = location?.device
        event.coordinate = location?.coordinate
        event.accuracy = location?.horizontalAccuracy
        return event
    }

    /// Returns the event of a stay in a fence, or `nil` for any other.
    private func stay(_ fence: FenceEvent, accuracy: Double?, _ place: FencePlace? = nil) -> HookEvent? {
        guard let kind = HookTrigger.TriggerKind(rawValue: fence.kind.rawValue) else { return nil }
        var event = HookEvent(kind)
        event.fence = fence.fence
        event.device = fence.device
        event.coordinate = fence.coordinate
        event.accuracy = accuracy
        event.place = place
        event.time = fence.moment.wall
        return event
    }
}
