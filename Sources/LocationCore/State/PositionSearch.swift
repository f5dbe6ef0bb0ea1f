/// A search for one position that is good enough, with the best rejected positions; it has no clock.
package struct PositionSearch: Sendable {
    private let accuracy: Double?
    private let fix: FixKind
    private let maxAge: Duration?
    private var state = LocationState.searching(.starting)
    private var hasHeard = false
    private var tooCoarse: Location?
    private var tooOld: Location?
    private var tooFlat: Location?

    /// Creates a search; the parameters are those of `LocationProvider.current`.
    package init(accuracy: Double? = nil, fix: FixKind = .twoD, maxAge: Duration? = nil) {
        self.accuracy = accuracy
        self.fix = fix
        self.maxAge = maxAge
    }

    /// Returns the error for a timeout or the end of the session, with the reason why no position was good enough.
    package func shortfall(after time: Duration) -> LocationError {
        if let best = tooCoarse, let accuracy { return .noFix(.tooCoarse(best: best, wanted: accuracy)) }
        if let best = tooOld, let maxAge { return .noFix(.tooOld(best: best, wanted: maxAge)) }
        if let best = tooFlat { return .noFix(.tooFlat(best: best, wanted: fix)) }
        switch state {
        case .error(let error): return error
        case .searching(let reason) where hasHeard || reason.kind.tellsOfReceivers:
            return .noFix(.noPosition(after: time, reason: reason))
        case .searching: return .noFix(.nothingHeard(after: time))
        case .found(let location): return .noFix(.tooFlat(best: location, wanted: fix))
        }
    }

    /// Processes an update and returns its position if it is good enough.
    package mutating func process(_ next: TrackedUpdate) -> Location? {
        switch next {
        case .transition(let transition):
            state = transition.to
        case .deviceTransition, .handover: break
        case .update(let update):
            switch update.event {
            case .location(let location):
                hasHeard = true
                return judge(location)
            case .satellites: hasHeard = true
            case .searching, .failure, .device, .receiver, .clock, .authorization, .line, .notice: break
            }
        }
        return nil
    }

    private mutating func judge(_ location: Location) -> Location? {
        guard !location.isLate, case .found = state else { return nil }
        guard location.fix >= fix else {
            tooFlat = location
            return nil
        }
        if let maxAge, location.ageWhenReceived.map({ $0 > maxAge }) ?? true {
            tooOld = location
            return nil
        }
        if let accuracy, location.horizontalAccuracy.map({ $0 > accuracy }) ?? true {
            let best = tooCoarse?.horizontalAccuracy ?? .infinity
            if tooCoarse == nil || location.horizontalAccuracy ?? .infinity < best { tooCoarse = location }
            return nil
        }
        return location
    }
}

extension SearchReason.Kind {
    /// Whether the reason concerns receivers, and not only the connection to the source.
    fileprivate var tellsOfReceivers: Bool {
        switch self {
        case .starting, .connecting, .connected: false
        case .noDevice, .noFix, .deviceLost, .deviceUnopenable, .deviceSilent, .deviceBabbling, .silent: true
        }
    }
}
