extension LocationCoordinator {
    /// Requests one position; it is delivered through `onUpdate`, or a failure through `onFailure`.
    ///
    /// While the position is followed, a report that both the session and the request receive is delivered once.
    ///
    /// The parameters are those of `LocationProvider.current`.
    public func requestCurrent(
        accuracy: Double? = nil, fix: FixKind = .twoD, maxAge: Duration? = nil, within limit: Duration = .seconds(60),
        clock: (any Clock<Duration>)? = nil
    ) {
        let search = search(accuracy, fix, maxAge, limit, clock)
        run { deliver in
            switch await search() {
            case .success(let location): await deliver(.location(location))
            case .failure(let error): await deliver(.failure(error))
            }
        }
    }

    /// Requests one position and passes the result to a closure, which runs where the callbacks run.
    ///
    /// After `stop` the closure is not called.
    public func current(
        accuracy: Double? = nil, fix: FixKind = .twoD, maxAge: Duration? = nil, within limit: Duration = .seconds(60),
        clock: (any Clock<Duration>)? = nil, completion: @escaping @Sendable (Result<Location, LocationError>) -> Void
    ) {
        let search = search(accuracy, fix, maxAge, limit, clock)
        run { deliver in
            let result = await search()
            await deliver(.completion { completion(result) })
        }
    }

    /// Returns one position, or throws an error that says what was missing.
    ///
    /// The parameters are those of `LocationProvider.current`. Both `stop` and a cancellation of the task end it with
    /// `LocationError.cancelled`.
    public func current(
        accuracy: Double? = nil, fix: FixKind = .twoD, maxAge: Duration? = nil, within limit: Duration = .seconds(60),
        clock: (any Clock<Duration>)? = nil
    ) async throws(LocationError) -> Location {
        try await value(of: search(accuracy, fix, maxAge, limit, clock))
    }

    /// Returns whether positions may be read, and reports it to `onAuthorizationChange` too.
    ///
    /// The parameters are those of `LocationProvider.authorization`. Both `stop` and a cancellation of the task end it with
    /// `LocationError.cancelled`.
    @discardableResult
    public func requestAuthorization(
        within limit: Duration = .seconds(60), clock: (any Clock<Duration>)? = nil
    ) async throws(LocationError) -> AuthorizationStatus {
        let (provider, device) = (provider, request.device)
        let status = try await value {
            await provider.authorization(device: device, within: limit, clock: clock) { _ in }
        }
        run { deliver in await deliver(.authorization(status)) }
        return status
    }

    /// Asks whether positions may be read, and passes the answer, or the error that ends the session, to a closure.
    ///
    /// The parameters are those of `LocationProvider.authorization`. The answer is delivered through `onAuthorizationChange`
    /// too, and failures through `onFailure`.
    public func requestAuthorization(
        within limit: Duration = .seconds(60), clock: (any Clock<Duration>)? = nil,
        completion: @escaping @Sendable (Result<AuthorizationStatus, LocationError>) -> Void
    ) {
        let (provider, device) = (provider, request.device)
        run { deliver in
            let result = await provider.authorization(device: device, within: limit, clock: clock) {
                await deliver(.failure($0))
            }
            switch result {
            case .success(let status): await deliver(.authorization(status))
            case .failure(let error): await deliver(.failure(error))
            }
            await deliver(.completion { completion(result) })
        }
    }

    private func search(
        _ accuracy: Double?, _ fix: FixKind, _ maxAge: Duration?, _ limit: Duration, _ clock: (any Clock<Duration>)?
    ) -> @Sendable () async -> Result<Location, LocationError> {
        let (provider, device) = (provider, request.device)
        return {
            do throws(LocationError) {
                return .success(
                    try await provider.current(
                        accuracy: accuracy, fix: fix, maxAge: maxAge, device: device, within: limit, clock: clock))
            } catch {
                return .failure(error)
            }
        }
    }
}
