/// A value behind a lock whose changes can be awaited.
///
/// Reading and changing it are inlinable and public for the reason that `PerDevice` states.
public final class Watched<Value: Sendable>: Sendable {
    /// The end of a wait.
    public enum Outcome: Sendable {
        case met, tooLate, cancelled
    }

    @usableFromInline struct Content: Sendable {
        @usableFromInline var value: Value
        @usableFromInline var waiters: [Int: Waiter] = [:]
        /// Waits that have begun but have no waiter yet; such a wait can time out or be cancelled before its waiter
        /// exists.
        var beginning: [Int: Outcome?] = [:]
        var lastWaiter = 0
    }

    @usableFromInline struct Waiter: Sendable {
        @usableFromInline var condition: @Sendable (Value) -> Bool
        @usableFromInline var continuation: CheckedContinuation<Outcome, Never>
    }

    @usableFromInline let content: Lock<Content>

    /// Creates a watched value.
    public init(_ value: Value) {
        content = Lock(Content(value: value))
    }

    /// The current value.
    @inlinable public var value: Value { content.withLock { $0.value } }

    /// Changes the value and resumes the waiters whose condition it now meets.
    @inlinable
    @discardableResult public func change<Result: Sendable, Failure: Error>(
        _ change: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let (result, met) = try content.withLock {
            (content) throws(Failure) -> (Result, [CheckedContinuation<Outcome, Never>]) in
            let result = try change(&content.value)
            guard !content.waiters.isEmpty else { return (result, []) }
            let value = content.value
            let met = content.waiters.filter { $0.value.condition(value) }
            for number in met.keys { content.waiters[number] = nil }
            return (result, met.sorted { $0.key < $1.key }.map(\.value.continuation))
        }
        for continuation in met { continuation.resume(returning: .met) }
        return result
    }

    /// Waits until the value meets a condition or the limit has passed, if there is one; a limit of zero or less checks once
    /// without waiting.
    public func wait<C: Clock>(
        within limit: Duration?, clock: C, until condition: @escaping @Sendable (Value) -> Bool
    ) async -> Outcome where C.Duration == Duration {
        if let limit, limit <= .zero { return condition(value) ? .met : .tooLate }
        let number = content.withLock { content in
            content.lastWaiter += 1
            content.beginning[content.lastWaiter] = .some(nil)
            return content.lastWaiter
        }
        let timer = limit.map { limit in
            Task {
                let end = clock.now.advanced(by: min(limit, .longestSleep))
                do { try await clock.sleep(until: end, tolerance: nil) } catch { return }
                self.end(number, with: .tooLate)
            }
        }
        defer { timer?.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let outcome = content.withLock { content -> Outcome? in
                    let early = content.beginning.removeValue(forKey: number)
                    if condition(content.value) { return .met }
                    if let outcome = early ?? nil { return outcome }
                    content.waiters[number] = Waiter(condition: condition, continuation: continuation)
                    return nil
                }
                if let outcome { continuation.resume(returning: outcome) }
            }
        } onCancel: {
            end(number, with: .cancelled)
        }
    }

    private func end(_ number: Int, with outcome: Outcome) {
        let waiter = content.withLock { content in
            if content.beginning[number] != nil { content.beginning[number] = .some(outcome) }
            return content.waiters.removeValue(forKey: number)
        }
        waiter?.continuation.resume(returning: outcome)
    }
}

extension Duration {
    /// The longest sleep of a task: the clocks of the system trap at an end whose seconds do not fit into 64 bits.
    package static let longestSleep = Duration.seconds(1 << 32)
}
