import LocationCore
import LocationTesting

/// Positions shared by many tests.
enum Sample {
    static let gate = numbered(0)

    /// Returns a position; consecutive numbers lie 111 m apart, northwards.
    static func numbered(_ number: Int) -> Location {
        Location(
            coordinate: Coordinate(latitude: 52.5163 + Double(number) / 1000, longitude: 13.3777),
            horizontalAccuracy: 5)
    }
}

extension Location {
    /// Returns a copy with some fields changed.
    func with(_ change: (inout Location) -> Void) -> Location {
        var location = self
        change(&location)
        return location
    }
}

extension Moment {
    /// Returns a moment of a session that begins at `testEpoch`.
    static func after(_ elapsed: Duration) -> Moment {
        Moment(elapsed: elapsed, wall: .testEpoch.advanced(by: elapsed))
    }
}

/// Waits until a value is the expected one.
func eventually<Value: Equatable & Sendable>(
    _ name: String, is expected: Value, within limit: Duration = .seconds(10),
    isolation: isolated (any Actor)? = #isolation, line: Int = #line, _ value: () async -> Value
) async throws {
    try await eventually(name, within: limit, isolation: isolation, line: line, value) { $0 == expected }
}
