import LocationCore
import LocationTesting
import TestSupport

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
    func with(_ change: (inout Location) -> Void) -> Location { TestSupport.with(self, change) }

    /// The position as a scripted source emits it at the start of a session.
    var arrived: Location { with { $0.received = .testEpoch } }
}

extension LocationEvent {
    /// Returns the event of a position with some fields of it changed.
    func with(_ change: (inout Location) -> Void) -> LocationEvent {
        location.map { .location($0.with(change)) } ?? self
    }
}

/// Returns a fix whose timestamp is `seconds` into the session.
func fix(
    _ seconds: Double?, _ kind: FixKind = .threeD, device: String? = "/dev/ttyACM0", accuracy: Double? = nil
) -> LocationEvent {
    .location(
        Location(
            coordinate: Coordinate(latitude: 45, longitude: 7), fix: kind,
            timestamp: seconds.map { moment($0).wall }, device: device, horizontalAccuracy: accuracy))
}

extension Fence {
    /// Returns a circle with a radius of 100 m, by default around the place of `fix`.
    static func circle(_ name: String = "home", latitude: Double = 45, longitude: Double = 7) throws -> Fence {
        let center = Coordinate(latitude: latitude, longitude: longitude)
        return try Fence(name: name, shape: .circle(center: center, radius: 100))
    }
}

/// Waits until a value is the expected one.
func eventually<Value: Equatable & Sendable>(
    _ name: String, is expected: Value, within limit: Duration = .seconds(10),
    isolation: isolated (any Actor)? = #isolation, line: Int = #line, _ value: () async -> Value
) async throws {
    try await eventually(name, within: limit, isolation: isolation, line: line, value) { $0 == expected }
}
