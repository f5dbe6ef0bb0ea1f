import LocationCore
import LocwatchSupport

/// A state machine that turns the updates of a session into events for hooks.
///
/// It has no clock: callers pass moments in and call `expire` at `deadline`. Fences follow the current receiver, as they do
/// for `watch`; in a fleet each device has its own.
struct HookDetector {
    private let hooks: [Hook]
    private let isFleet: Bool
    /// Whether the user has chosen the receiver, which then counts as the current one.
    private let choosesReceiver: Bool
    /// Reduces the reports of an epoch to one position, unless the session does.
    private var settler: EpochSettler?
    private var fences: DeviceFences
    private var filter: LocationFilter
    private var printer: JSONPrinter
    private var currentReceiver: String??
    /// Whether each device of a fleet has a current position.
    private var isFound = PerDevice<Bool>()
    /// The error that was reported last, unless the source has answered since.
    private var lastError: LocationError?

    /// - Parameter isSettled: Whether each epoch gives one position.
    init(_ settings: Settings, isFleet: Bool, isSettled: Bool) {
        hooks = settings.hooks.hooks
        self.isFleet = isFleet
        choosesReceiver = settings.device != nil
        settler = isSettled || isFleet ? nil : EpochSettler()
        fences = DeviceFences(
            FenceMonitor(fences: settings.fences, dwellAfter: settings.dwell ?? .seconds(300)), isFleet: isFleet)
        filter = LocationFilter(
            LocationRequest(
                desiredAccuracy: settings.accuracy, distanceFilter: settings.distance,
                minimumInterval: settings.interval, maximumAge: settings.maximumAge))
        printer = JSONPrinter(precision: settings.precision, selection: EventSelection(everyReceiver: isFleet))
    }

    /// The moment at which `expire` must be called if nothing arrives before.
    var deadline: Moment? {
        let fence = fences.fences.isEmpty ? nil : fences.deadline
        guard let due = settler?.deadline else { return fence }
        return fence.map { min($0, due) } ?? due
    }

    /// Processes an update; emits the events that it causes.
    mutating func process(_ update: TrackedUpdate, emit: (HookEvent) -> Void) {
        switch update {
        case .transition(let transition):
            // A position that is still held back precedes its loss.
            if transition.to.location == nil { settle(emit) { $0.finish(at: transition.moment, emit: $1) } }
            currentReceiver = transition.to.location.map { $0.device }
            let json = line { $0.print(update, into: &$1) }
            if !isFleet { change(transition, json, emit) }
            fail(transition, json, emit)
        case .deviceTransition(let transition):
            guard isFleet else { return }
            isFound[transition.device, default: false] = transition.to.location != nil
            change(transition, line { $0.print(update, into: &$1) }, emit)
        case .handover(let handover):
            currentReceiver = .some(handover.to)
            var event = HookEvent(.handover)
            event.from = handover.from
            event.to = handover.to
            event.device = handover.to
            event.reason = handover.reason.code
            event.time = handover.moment.wall
            event.json = line { $0.print(update, into: &$1) }
            emit(event)
        case .update(let update):
            if settler == nil {
                process(update, emit)
            } else {
                settle(emit) { $0.process(update, emit: $1) }
            }
        }
    }

    /// Emits the events that are due without a new update.
    mutating func expire(at moment: Moment, emit: (HookEvent) -> Void) {
        settle(emit) { $0.expire(at: moment, emit: $1) }
        for event in fences.expire(at: moment) { process(event, accuracy: nil, emit) }
    }

    /// Processes the positions that the settler emits.
    private mutating func settle(
        _ emit: (HookEvent) -> Void, _ body: (inout EpochSettler, (LocationUpdate) -> Void) -> Void
    ) {
        guard var working = settler.take() else { return }
        var settled: [LocationUpdate] = []
        body(&working) { settled.append($0) }
        settler = working
        for update in settled { process(update, emit) }
    }

    // MARK: States

    private func change(_ transition: Transition, _ json: [UInt8], _ emit: (HookEvent) -> Void) {
        guard (transition.from.location == nil) != (transition.to.location == nil) else { return }
        let kind: HookTrigger.Kind = transition.to.location == nil ? .lost : .found
        emit(event(kind, transition, json))
    }

    /// Emits an event for an error, once until the source has answered.
    private mutating func fail(_ transition: Transition, _ json: [UInt8], _ emit: (HookEvent) -> Void) {
        switch transition.to {
        case .found, .searching(.connected): lastError = nil
        case .searching(.starting), .searching(.connecting): break
        case .searching: lastError = nil
        case .error(let error):
            guard error != lastError else { return }
            lastError = error
            emit(event(.error, transition, json))
        }
    }

    private func event(_ kind: HookTrigger.Kind, _ transition: Transition, _ json: [UInt8]) -> HookEvent {
        var event = HookEvent(kind)
        // An error concerns the source, whatever position there was before.
        let location = kind == .error ? nil : transition.to.location ?? transition.from.location
        event.device = transition.device ?? location?.device
        event.from = transition.from.word
        event.to = transition.to.word
        event.reason = transition.reason.code
        event.coordinate = location?.coordinate
        event.accuracy = location?.horizontalAccuracy
        event.time = transition.moment.wall
        event.json = json
        return event
    }

    // MARK: Positions

    private mutating func process(_ update: LocationUpdate, _ emit: (HookEvent) -> Void) {
        switch update.event {
        case .location(let location): process(location, update, emit)
        case .notice(.fence(let event)):
            // The device of a fleet has fences of its own.
            process(event, accuracy: nil, emit)
        case .satellites, .device:
            // The printer adds what these report to the positions.
            _ = line { $0.print(.update(update), into: &$1) }
        case .searching, .receiver, .clock, .authorization, .failure, .line, .notice: break
        }
    }

    private mutating func process(_ location: Location, _ update: LocationUpdate, _ emit: (HookEvent) -> Void) {
        guard !location.isLate, isCurrent(location) else { return }
        for event in fences.fences.isEmpty ? [] : fences.update(location, at: update.moment) {
            process(event, accuracy: location.horizontalAccuracy, emit)
        }
        guard filter.admits(update), hooks.contains(where: { $0.trigger.kind == .every }) else { return }
        var event = HookEvent(.every)
        event.device = location.device
        event.coordinate = location.coordinate
        event.accuracy = location.horizontalAccuracy
        event.time = location.timestamp ?? location.received ?? update.moment.wall
        event.json = line { $0.print(.update(update), into: &$1) }
        emit(event)
    }

    private func isCurrent(_ location: Location) -> Bool {
        if isFleet { return isFound[location.device] ?? false }
        return currentReceiver.map { $0 == location.device || choosesReceiver } ?? false
    }

    private mutating func process(_ fence: FenceEvent, accuracy: Double?, _ emit: (HookEvent) -> Void) {
        let kind: HookTrigger.Kind =
            switch fence.kind {
            case .inside: .inside
            case .enter: .enter
            case .exit: .exit
            case .dwell: .dwell
            }
        var event = HookEvent(kind)
        event.fence = fence.fence
        event.device = fence.device
        event.coordinate = fence.coordinate
        event.accuracy = accuracy
        event.time = fence.moment.wall
        event.json = line { $0.print(fence, into: &$1) }
        emit(event)
    }

    private mutating func line(_ print: (inout JSONPrinter, inout TextBuffer) -> Void) -> [UInt8] {
        var text = TextBuffer()
        print(&printer, &text)
        return text.bytes
    }
}
