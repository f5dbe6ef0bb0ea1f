import LocationCore

extension [TrackedUpdate] {
    /// The changes of the session's state.
    var session: [StateChange] { compactMap { if case .transition(let transition) = $0 { transition } else { nil } } }

    /// The reasons of the changes of the session's state.
    var sessionCodes: [String] { session.map(\.reason.code) }

    /// The changes of the receivers' states.
    var devices: [StateChange] {
        compactMap { if case .deviceTransition(let transition) = $0 { transition } else { nil } }
    }

    var handovers: [Handover] { compactMap { if case .handover(let handover) = $0 { handover } else { nil } } }
}

/// A session of an `UpdateTracker` with the results so far.
struct TrackedSession {
    var tracker: UpdateTracker
    private(set) var results: [TrackedUpdate] = []

    init(_ tracker: UpdateTracker = UpdateTracker()) { self.tracker = tracker }

    var view: SessionView { tracker.view }

    /// Processes an event and returns its results.
    @discardableResult
    mutating func process(_ event: LocationEvent, at moment: Moment) -> [TrackedUpdate] {
        run { $0.process(LocationUpdate(event, at: moment)) }
    }

    /// Passes input to the tracker and returns its results.
    @discardableResult
    mutating func run(_ input: (inout UpdateTracker) -> Void) -> [TrackedUpdate] {
        input(&tracker)
        var taken: [TrackedUpdate] = []
        while let next = tracker.next() { taken.append(next) }
        results += taken
        return taken
    }

    /// The events at fences so far, in words.
    var fenceEvents: [String] {
        results.compactMap { result in
            guard case .fence(let event) = result else { return nil }
            let second = Double(event.moment.elapsed / .milliseconds(1)).rounded() / 1000
            return "\(event.device.map { "\($0) " } ?? "")\(event.kind.rawValue) \(event.fence) at \(second)"
        }
    }

    /// The positions and their standings so far.
    var positions: [(location: Location, standing: TrackedUpdate.Standing)] { results.compactMap(\.position) }
}
