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
