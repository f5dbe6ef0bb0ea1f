extension LocationProvider {
    /// Returns whether positions may be read, as soon as the provider knows it.
    ///
    /// An `authorization` event answers the question, and so does a position: a client that gets one is authorized. A denial is an
    /// answer too, also if the provider reports it as a failure or ends the session with it. Failures that can be transient are
    /// waited for. The session that asks ends with the answer.
    ///
    /// - Parameters:
    ///   - device: The receiver, or `nil` for any.
    ///   - limit: The timeout.
    ///   - clock: The clock of the timeout; by default the session's.
    /// - Returns: The answer, or `notDetermined` if the session or the time ends without one.
    /// - Throws: The error that ends the session, unless it is a denial, or `cancelled` if the task was cancelled.
    public func authorization(
        device: String? = nil, within limit: Duration = .seconds(60), clock: (any Clock<Duration>)? = nil
    ) async throws(LocationError) -> AuthorizationStatus {
        let updates = updates(for: LocationRequest(device: device, purpose: .authorization))
        let answer: Result<AuthorizationStatus?, LocationError>
        if let clock {
            answer =
                await withTimeLimit(limit, clock: clock) { await updates.firstAuthorization() } ?? .success(nil)
        } else {
            answer = await updates.limited(to: limit).firstAuthorization()
        }
        if let status = try answer.get() { return status }
        if Task.isCancelled { throw .cancelled }
        return .notDetermined
    }
}

extension LocationUpdates {
    /// Returns the first answer to whether positions may be read, or `nil` if the session ends without one.
    fileprivate func firstAuthorization() async -> Result<AuthorizationStatus?, LocationError> {
        var iterator = makeAsyncIterator()
        do throws(LocationError) {
            while let update = try await iterator.next() {
                if let status = update.event.authorization { return .success(status) }
            }
            return .success(nil)
        } catch {
            if case .denied = error { return .success(.denied) }
            return .failure(error)
        }
    }
}

extension LocationEvent {
    /// The answer to whether positions may be read that the event is, if any.
    package var authorization: AuthorizationStatus? {
        switch self {
        case .authorization(let status): status
        case .location: .authorized
        // A refusal is final; a provider that reports it as a failure sends no status.
        case .failure(.denied, _): .denied
        default: nil
        }
    }
}

/// The answers of a session to whether positions may be read that no event of its own reports.
package struct AuthorizationAnswers: Sendable {
    private var isKnown = false
    private var isDenied = false

    /// Creates the answers of a session that has given none.
    package init() {}

    /// Returns the answer that an event implies, if it is a new one.
    ///
    /// A position implies one if the provider has given none, or none but a failure. A denial that is reported as a failure follows
    /// an event with the same answer in a live source.
    package mutating func answer(by event: LocationEvent) -> AuthorizationStatus? {
        switch event {
        case .authorization(let status):
            (isKnown, isDenied) = (true, status == .denied)
            return nil
        case .location where !isKnown:
            (isKnown, isDenied) = (true, false)
            return .authorized
        case .failure(.denied, _) where !isDenied:
            (isKnown, isDenied) = (false, true)
            return .denied
        default: return nil
        }
    }
}
