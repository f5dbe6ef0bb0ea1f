/// The time that tests let pass.
///
/// A test waits for a condition. It lets time pass only if it is about the time itself, or if what must not happen has no condition.
/// The calls of `pass(_:because:)` are all such waits of the tests that start programs: a dozen.
package enum RealTime {
    package static func pass(_ duration: Duration, because reason: String) async throws {
        try await Task.sleep(for: duration)
    }
}
