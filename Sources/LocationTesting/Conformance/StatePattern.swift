public import LocationCore

/// What a state must look like; a list of them is what a session's states must look like.
public enum StatePattern: Hashable, Sendable, CustomStringConvertible {
    /// One search or more in a row, for whatever reasons.
    case searching
    /// One search for a reason of this kind.
    case searchingAs(SearchReason.Kind)
    /// A position.
    case found
    /// A position within so many metres of a place.
    case foundAt(Coordinate, within: Double = 0.001)
    /// An error.
    case error
    /// An error with this code.
    case errorCode(String)

    /// Whether a state looks like that.
    public func matches(_ state: LocationState) -> Bool {
        switch (self, state) {
        case (.searching, .searching), (.found, .found), (.error, .error): true
        case (.searchingAs(let kind), .searching(let reason)): reason.kind == kind
        case (.foundAt(let place, let distance), .found(let location)):
            place == location.coordinate || place.distance(to: location.coordinate) <= distance
        case (.errorCode(let code), .error(let error)): error.code == code
        case (.searching, _), (.searchingAs, _), (.found, _), (.foundAt, _), (.error, _), (.errorCode, _): false
        }
    }

    /// Whether all of a session's states look like a list of patterns.
    public static func match(_ patterns: [StatePattern], _ states: [LocationState]) -> Bool {
        match(patterns[...], states[...])
    }

    private static func match(_ patterns: ArraySlice<StatePattern>, _ states: ArraySlice<LocationState>) -> Bool {
        guard let pattern = patterns.first else { return states.isEmpty }
        guard let state = states.first, pattern.matches(state) else { return false }
        if match(patterns.dropFirst(), states.dropFirst()) { return true }
        // One `searching` stands for a whole row.
        return pattern == .searching && match(patterns, states.dropFirst())
    }

    static func list(_ patterns: [StatePattern]) -> String {
        patterns.map(\.description).joined(separator: ", ")
    }

    /// The pattern in a few words.
    public var description: String {
        switch self {
        case .searching: "searching"
        case .searchingAs(let kind): "searching (\(kind.rawValue))"
        case .found: "found"
        case .foundAt(let place, _): "found at \(place.latitude), \(place.longitude)"
        case .error: "error"
        case .errorCode(let code): "error (\(code))"
        }
    }
}

/// The states of a session are not what was expected.
public struct StateMismatch: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was expected.
    public var expected: [StatePattern]
    /// What there was.
    public var states: [LocationState]

    /// Both, one after the other.
    public var description: String {
        """
        expected the states: \(StatePattern.list(expected))
        there were:          \(states.map(\.summary).joined(separator: ", "))
        """
    }
}

extension LocationState {
    /// The state in a few words.
    var summary: String {
        switch self {
        case .searching(let reason): "searching (\(reason.kind.rawValue))"
        case .found(let location): "found at \(location.coordinate.latitude), \(location.coordinate.longitude)"
        case .error(let error): "error (\(error.code))"
        }
    }
}

extension LocationEvent {
    /// The event in a few words.
    var summary: String {
        switch self {
        case .location(let location): "location \(location.coordinate.latitude), \(location.coordinate.longitude)"
        case .searching(let reason, _): "searching \(reason)"
        case .failure(let error, _): "failure \(error)"
        case .satellites(let sky): "satellites: \(sky.used ?? 0) of \(sky.seen ?? 0) used"
        case .device(let status): "device \(status.path): \(status.activity.rawValue)"
        case .receiver(let report): "receiver \(report.device ?? "without a name")"
        case .line(let bytes): "a line of \(bytes.count) bytes"
        case .authorization(let status): "authorization: \(status.rawValue)"
        case .notice(let notice): "notice \(notice)"
        }
    }
}
