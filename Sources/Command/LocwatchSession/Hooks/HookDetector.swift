import LocationCore
import LocwatchArguments
import LocwatchPrinting
import LocwatchSupport

/// A state machine that turns the updates of a session into events for hooks.
struct HookDetector {
    private let hooks: [Hook]
    /// Whether a hook runs at a change of state.
    private let wantsStates: Bool
    private var filter: LocationFilter
    private var printer: JSONPrinter
    /// Whether each receiver stood still, if a hook runs when that changes.
    private var stillness: PerDevice<Bool>?
    /// The error that was reported last, unless the source has answered since.
    private var lastError: LocationError?
    /// The events of the update that is processed.
    private var events: [HookEvent] = []

    init(_ settings: Settings) {
        hooks = settings.plan.hooks
        wantsStates = hooks.contains { [.found, .lost, .error].contains($0.trigger.kind) }
        if hooks.contains(where: { [.stationary, .moving].contains($0.trigger.kind) }) { stillness = PerDevice() }
        filter = LocationFilter(settings.request)
        printer = JSONPrinter(precision: settings.output.precision)
    }

    /// Processes an update; returns the events that it causes and for which there is a hook.
    mutating func events(of update: TrackedUpdate, _ view: SessionView) -> [HookEvent] {
        process(update, view)
        defer { events = [] }
        return events
    }

    private mutating func process(_ update: TrackedUpdate, _ view: SessionView) {
        switch update {
        case .transition(let transition):
            guard wantsStates else { return }
            // The line of each change is printed, because that of `found` has the duration of the search.
            let json = line(update, view)
            if !view.hasNames { change(transition, json) }
            fail(transition, json)
        case .deviceTransition(let transition):
            if view.hasNames, wantsStates { change(transition, line(update, view)) }
        case .handover(let handover):
            var event = HookEvent(.handover)
            event.device = handover.to
            event.note(from: handover.from, to: handover.to, reason: handover.reason.code, at: handover.moment)
            emit(event, update, view)
        case .fence(let event):
            // A dwell comes without a position.
            let accuracy = event.kind == .dwell ? nil : location(of: event, view)?.horizontalAccuracy
            if let event = self.event(event, accuracy: accuracy, view.place(of: event)) { emit(event, update, view) }
        // A machine with a name can have fences of its own.
        case .update(let source, _) where source.fence != nil:
            if let event = source.fence.flatMap({ event($0, accuracy: nil) }) { emit(event, update, view) }
        case .update(let source, .current): process(source, view)
        case .integrity(let change): process(change, update, view)
        case .update, .failureEnded: break
        }
    }

    private func location(of event: FenceEvent, _ view: SessionView) -> Location? {
        if let device = event.device { view[device]?.lastLocation } else { view.location }
    }

    // MARK: States

    private mutating func change(_ transition: StateChange, _ json: [UInt8]) {
        guard (transition.from.location == nil) != (transition.to.location == nil) else { return }
        emit(transition.to.location == nil ? .lost : .found, transition, json)
    }

    /// Emits an event for an error, once until the source has answered.
    private mutating func fail(_ transition: StateChange, _ json: [UInt8]) {
        switch transition.to {
        case .found, .searching(.connected): lastError = nil
        case .searching(.starting), .searching(.connecting): break
        case .searching: lastError = nil
        case .error(let error):
            guard error != lastError else { return }
            lastError = error
            emit(.error, transition, json)
        }
    }

    private mutating func emit(_ kind: HookTrigger.Kind, _ transition: StateChange, _ json: [UInt8]) {
        // An error concerns the source, whatever position there was before.
        var event = event(kind, at: kind == .error ? nil : transition.to.location ?? transition.from.location)
        event.device = transition.device ?? event.device
        event.note(
            from: transition.from.word, to: transition.to.word, reason: transition.reason.code,
            at: transition.beginning)
        event.json = json
        if isWanted(event) { events.append(event) }
    }

    // MARK: Positions

    private mutating func process(_ update: LocationUpdate, _ view: SessionView) {
        move(update, view)
        guard let location = update.location, filter.admits(update) else { return }
        var event = event(.every, at: location)
        event.time = location.timestamp ?? location.received ?? update.moment.wall
        emit(event, .update(update), view)
    }

    /// Emits an event if the receiver has come to a standstill, or moves again.
    private mutating func move(_ update: LocationUpdate, _ view: SessionView) {
        guard stillness != nil, let location = update.location else { return }
        let isStill = view[location.device]?.isStationary ?? false
        guard stillness?[location.device] ?? false != isStill else { return }
        stillness?.set(isStill, for: location.device)
        var event = event(isStill ? .stationary : .moving, at: location)
        event.time = location.received ?? update.moment.wall
        emit(event, .update(update), view)
    }

    private func event(_ kind: HookTrigger.Kind, at location: Location?) -> HookEvent {
        var event = HookEvent(kind)
        event.device = location?.device
        event.coordinate = location?.coordinate
        event.accuracy = location?.horizontalAccuracy
        return event
    }

    private mutating func process(_ change: IntegrityChange, _ update: TrackedUpdate, _ view: SessionView) {
        var event = event(.integrity, at: view[change.device]?.lastLocation)
        event.device = change.device
        event.note(
            from: change.from.rawValue, to: change.to.rawValue, reason: change.reasons.codes.joined(separator: " "),
            at: change.moment)
        emit(event, update, view)
        guard change.to == .alarm, change.from != .alarm else { return }
        event.kind = .alarm
        emit(event, update, view)
    }

    /// Returns the event of a stay in a fence, or `nil` for any other.
    private func event(_ fence: FenceEvent, accuracy: Double?, _ place: FencePlace? = nil) -> HookEvent? {
        guard let kind = HookTrigger.Kind(rawValue: fence.kind.rawValue) else { return nil }
        var event = HookEvent(kind)
        event.fence = fence.fence
        event.device = fence.device
        event.coordinate = fence.coordinate
        event.accuracy = accuracy
        event.place = place
        event.time = fence.moment.wall
        return event
    }

    private func isWanted(_ event: HookEvent) -> Bool { hooks.contains { $0.trigger.matches(event) } }

    /// Emits an event with its line, if there is a hook for it.
    private mutating func emit(_ event: HookEvent, _ update: TrackedUpdate, _ view: SessionView) {
        guard isWanted(event) else { return }
        var event = event
        event.json = line(update, view)
        events.append(event)
    }

    private mutating func line(_ update: TrackedUpdate, _ view: SessionView) -> [UInt8] {
        var text = TextBuffer()
        printer.print(update, view, into: &text)
        return text.bytes
    }
}

extension LocationUpdate {
    /// The event at a fence that the device itself monitors, if the update is one.
    fileprivate var fence: FenceEvent? { if case .fence(let event) = event.notice { event } else { nil } }
}
