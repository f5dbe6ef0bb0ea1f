import LocationCore
import LocationTesting

/// Positions shared by the tests.
enum Sample {
    /// Returns a position; consecutive numbers lie 111 m apart, northwards.
    static func numbered(_ number: Int, device: String? = nil) -> Location {
        Location(
            coordinate: Coordinate(latitude: 52.5163 + Double(number) / 1000, longitude: 13.3777),
            timestamp: device == nil ? nil : .testEpoch, device: device, horizontalAccuracy: 5)
    }
}

extension Fence {
    /// Returns a circle with a radius of 500 m around the equator's zero.
    static func home() throws -> Fence {
        try Fence(name: "home", shape: .circle(center: Coordinate(latitude: 0, longitude: 0), radius: 500))
    }
}

/// Returns the value of a task; one that does not end is an error instead of a test that hangs.
func value<Value: Sendable, Failure: Error>(
    of task: Task<Value, Failure>, fileID: String = #fileID, line: Int = #line
) async throws -> Value {
    let log = EventLog<Result<Value, Failure>>()
    Task { log.append(await task.result) }
    return try await log.wait(for: "the end of a task", fileID: fileID, line: line) { !$0.isEmpty }[0].get()
}

/// Waits until a value is the expected one.
func eventually<Value: Equatable & Sendable>(
    _ name: String, is expected: Value, isolation: isolated (any Actor)? = #isolation, line: Int = #line,
    _ value: () async -> Value
) async throws {
    try await eventually(name, isolation: isolation, line: line, value) { $0 == expected }
}
