/// A value behind a lock whose changes can be awaited.
///
/// A condition is evaluated without the lock, because it can be code of a test that reads the value through its owner. Every value
/// that a change has made is tested, by the thread that made it.
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
        let (result, asked) = try content.withLock {
            (content) throws(Failure) -> (Result, (value: Value, waiters: [Int: Waiter])?) in
            let result = try change(&content.value)
            return (result, content.waiters.isEmpty ? nil : (content.value, content.waiters))
        }
        if let asked { end(asked.waiters, metBy: asked.value) }
        return result
    }

    /// Ends the waits whose condition a value meets, in the order in which they began.
    @usableFromInline func end(_ waiters: [Int: Waiter], metBy value: Value) {
        for (number, waiter) in waiters.sorted(by: { $0.key < $1.key }) where waiter.condition(value) {
            end(number, with: .met)
        }
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
                // The waiter is added before its condition is evaluated, so that it misses no change.
                let (value, early) = content.withLock { content -> (Value, Outcome?) in
                    let early = content.beginning.removeValue(forKey: number) ?? nil
                    if early == nil {
                        content.waiters[number] = Waiter(condition: condition, continuation: continuation)
                    }
                    return (content.value, early)
                }
                let isMet = condition(value)
                if let early {
                    continuation.resume(returning: isMet ? .met : early)
                } else if isMet {
                    end(number, with: .met)
                }
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
