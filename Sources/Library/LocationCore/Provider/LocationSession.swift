/// A running session of a provider, as `LocationUpdates` reads it.
package protocol LocationSession: AnyObject, Sendable {
    /// The current moment of the session's clock.
    var now: Moment { get }

    /// Returns the next step if there is one without waiting.
    func take() throws(LocationError) -> SessionStep?

    /// Calls `answer` once, with the next step, at the latest when `deadline` has passed. Only one reader waits at a time.
    func ask(until deadline: Moment?, _ answer: @escaping @Sendable (SessionAnswer) -> Void)

    /// Returns the next step, at the latest when `deadline` has passed.
    ///
    /// Cancelling the waiting task ends the session and returns `.end`.
    func next(until deadline: Moment?) async throws(LocationError) -> SessionStep

    /// Ends the current wait, or else the next one, with `.woken`, so that it begins again with an earlier deadline; callable from
    /// any thread.
    func wake()

    /// Ends the session and frees its resources without waiting; may be called repeatedly and from any thread.
    func stop()

    /// Begins the source of the session for a loop that drives it itself, if a loop can; the session is then not used.
    var makeSource: (@Sendable () -> any Source)? { get }
}

extension LocationSession {
    package func next(until deadline: Moment?) async throws(LocationError) -> SessionStep {
        if Task.isCancelled { stop() }
        if let step = try take() { return step }
        return try await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                ask(until: deadline) { continuation.resume(returning: $0) }
            }
        } onCancel: {
            stop()
        }.get()
    }

    package var makeSource: (@Sendable () -> any Source)? { nil }
}

/// The result of waiting for the next event of a session.
package enum SessionStep: Hashable, Sendable {
    /// An event happened.
    case update(LocationUpdate)
    /// Nothing happened until the deadline.
    case quiet
    /// Another thread ended the wait, which may begin again.
    case woken
    /// The session has ended.
    case end
}

/// The answer of a session to its reader: a step, or the error that ends the session.
package typealias SessionAnswer = Result<SessionStep, LocationError>
