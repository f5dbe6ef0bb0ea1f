/// The time that tests let pass.
///
/// A test waits for a condition. It lets time pass only if it is about the time itself, or if what must not happen has no condition.
/// Such tests are the suites `RealTimeTests` of the targets that start programs.
package enum RealTime {
    package static func pass(
        _ duration: Duration, because reason: String, file: String = #fileID
    ) async throws {
        precondition(file.hasSuffix("/RealTimeTests.swift"), "a test that lets time pass belongs to RealTimeTests")
        try await Task.sleep(for: duration)
    }
}
