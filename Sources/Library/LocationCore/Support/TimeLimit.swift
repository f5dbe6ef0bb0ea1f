import LocwatchSupport

/// Returns the result of an operation, or `nil` if the limit passes before; the operation is then cancelled.
func withTimeLimit<C: Clock, Value: Sendable>(
    _ limit: Duration, clock: C, _ operation: @escaping @Sendable () async -> Value
) async -> Value? where C.Duration == Duration {
    let end = clock.now.advanced(by: min(limit, .longestSleep))
    return await withTaskGroup(of: Value?.self) { group in
        group.addTask { await operation() }
        group.addTask {
            try? await clock.sleep(until: end, tolerance: .limitTolerance)
            return nil
        }
        defer { group.cancelAll() }
        return await group.next() ?? nil
    }
}
