public import LocationCore

/// A pattern for a location state; a list of patterns describes the states of a session.
public enum StatePattern: Hashable, Sendable, CustomStringConvertible {
    /// One or more consecutive searches, for any reasons.
    case searching
    /// One search for the reason with this code, such as `noFix`.
    case searchingAs(String)
    /// A position.
    case found
    /// A position within a distance, in metres, of a place.
    case foundAt(Coordinate, within: Double = 0.001)
    /// An error.
    case error
    /// An error with this code.
    case errorCode(String)

    /// Returns whether a state matches the pattern.
    public func matches(_ state: LocationState) -> Bool {
        switch (self, state) {
        case (.searching, .searching), (.found, .found), (.error, .error): true
        case (.searchingAs(let kind), .searching(let reason)): reason.code == kind
        case (.foundAt(let place, let distance), .found(let location)):
            place == location.coordinate || place.distance(to: location.coordinate) <= distance
        case (.errorCode(let code), .error(let error)): error.code == code
        case (.searching, _), (.searchingAs, _), (.found, _), (.foundAt, _), (.error, _), (.errorCode, _): false
        }
    }

    /// Returns whether a list of patterns matches all states of a session.
    ///
    /// It takes a time in proportion to the product of both numbers.
    public static func match(_ patterns: [StatePattern], _ states: [LocationState]) -> Bool {
        // For each number of patterns, whether so many match the states so far.
        var matches = Array(repeating: false, count: patterns.count + 1)
        matches[0] = true
        for state in states {
            for (index, pattern) in patterns.enumerated().reversed() {
                // One `searching` pattern matches any number of consecutive searches.
                let continues = pattern == .searching && matches[index + 1]
                matches[index + 1] = (matches[index] || continues) && pattern.matches(state)
            }
            matches[0] = false
        }
        return matches[patterns.count]
    }

    static func list(_ patterns: [StatePattern]) -> String {
        patterns.map(\.description).joined(separator: ", ")
    }

    /// A short description of the pattern.
    public var description: String {
        switch self {
        case .searching: "searching"
        case .searchingAs(let kind): "searching (\(kind))"
        case .found: "found"
        case .foundAt(let place, _): "found at \(place.latitude), \(place.longitude)"
        case .error: "error"
        case .errorCode(let code): "error (\(code))"
        }
    }
}

extension LocationState {
    var summary: String {
        switch self {
        case .searching(let reason): "searching (\(reason.code))"
        case .found(let location): "found at \(location.coordinate.latitude), \(location.coordinate.longitude)"
        case .error(let error): "error (\(error.code))"
        }
    }
}
