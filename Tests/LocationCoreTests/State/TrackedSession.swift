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

/// A session of a `Tracker` with the results so far.
struct TrackedSession {
    var tracker: Tracker
    /// Whether each device is a machine of a fleet.
    private let isFleet: Bool
    private(set) var results: [TrackedUpdate] = []

    init(_ tracker: Tracker = Tracker(), ofFleet isFleet: Bool = false) {
        self.tracker = tracker
        self.isFleet = isFleet
    }

    var view: SessionView { tracker.view }

    /// Processes an event and returns its results.
    @discardableResult
    mutating func process(_ event: LocationEvent, at moment: Moment) -> [TrackedUpdate] {
        let update = LocationUpdate(event, at: moment).about(isFleet ? event.device : nil)
        return run { $0.apply(update) }
    }

    /// Passes input to the tracker and returns its results.
    @discardableResult
    mutating func run(_ input: (inout Tracker) -> Void) -> [TrackedUpdate] {
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
