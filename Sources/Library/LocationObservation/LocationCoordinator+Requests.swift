public import LocationCore

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
        let number = nextNumber()
        let request = positionRequest(accuracy, fix, maxAge, limit)
        var session: Int?
        session = search(number, request, limit, clock, isAwaited: false) { [weak self] result in
            switch result {
            case .success(let location): self?.pass(location, by: number, in: session)
            case .failure(let error): self?.onFailure?(error)
            }
        }
    }

    /// Requests one position and passes the result to a closure, as callbacks are called.
    ///
    /// After `stop` the closure is not called.
    public func current(
        accuracy: Double? = nil, fix: FixKind = .twoD, maxAge: Duration? = nil, within limit: Duration = .seconds(60),
        clock: (any Clock<Duration>)? = nil, completion: @escaping (Result<Location, LocationError>) -> Void
    ) {
        let request = positionRequest(accuracy, fix, maxAge, limit)
        search(nextNumber(), request, limit, clock, isAwaited: false, completion)
    }

    /// Returns one position, or throws an error that says what was missing.
    ///
    /// The parameters are those of `LocationProvider.current`. Both `stop` and a cancellation of the task end it with
    /// `LocationError.cancelled`.
    nonisolated(nonsending) public func current(
        accuracy: Double? = nil, fix: FixKind = .twoD, maxAge: Duration? = nil, within limit: Duration = .seconds(60),
        clock: (any Clock<Duration>)? = nil
    ) async throws(LocationError) -> Location {
        let (number, request) = (nextNumber(), positionRequest(accuracy, fix, maxAge, limit))
        return try await answer(to: number) { reply in
            search(number, request, limit, clock, isAwaited: true, reply)
        }
    }

    /// Returns whether positions may be read, and reports it to `onAuthorizationChange` too.
    ///
    /// The parameters are those of `LocationProvider.authorization`. Both `stop` and a cancellation of the task end it with
    /// `LocationError.cancelled`.
    @discardableResult nonisolated(nonsending) public func requestAuthorization(
        within limit: Duration = .seconds(60), clock: (any Clock<Duration>)? = nil
    ) async throws(LocationError) -> AuthorizationStatus {
        let number = nextNumber()
        return try await answer(to: number) { reply in
            ask(number, limit, clock, isAwaited: true) { [weak self] result in
                if case .success(let status) = result { self?.note(status) }
                reply(result)
            }
        }
    }

    /// Asks whether positions may be read, and passes the answer, or the error that ends the session, to a closure.
    ///
    /// The parameters are those of `LocationProvider.authorization`. The answer is delivered through `onAuthorizationChange`
    /// too, and failures through `onFailure`.
    public func requestAuthorization(
        within limit: Duration = .seconds(60), clock: (any Clock<Duration>)? = nil,
        completion: @escaping (Result<AuthorizationStatus, LocationError>) -> Void
    ) {
        ask(nextNumber(), limit, clock, isAwaited: false) { [weak self] result in
            guard let self else { return }
            let stops = stops
            switch result {
            case .success(let status): note(status)
            case .failure(let error): onFailure?(error)
            }
            if stops == self.stops { completion(result) }
        }
    }

    private func positionRequest(
        _ accuracy: Double?, _ fix: FixKind, _ maxAge: Duration?, _ limit: Duration
    ) -> LocationRequest {
        LocationRequest(
            accuracy: accuracy, maxAge: maxAge, fix: fix, device: request.device, purpose: .once, limit: limit)
    }

    /// Begins a request for one position, and returns the number of the session that serves it, which is open or a new one.
    @discardableResult private func search(
        _ number: Int, _ goal: LocationRequest, _ duration: Duration, _ clock: (any Clock<Duration>)?,
        isAwaited: Bool, _ completion: @escaping (Result<Location, LocationError>) -> Void
    ) -> Int? {
        let limit = RequestLimit(duration, clock: clock)
        guard let session = session(for: goal), let tracker = joinedTracker(of: session, for: goal) else {
            if isAwaited { completion(.failure(.cancelled)) }
            return nil
        }
        add(PositionRequest(in: session, limit, tracker, isAwaited: isAwaited, completion), as: number)
        return session
    }

    /// Begins a request for the authorization, in a session that is open or in a new one.
    private func ask(
        _ number: Int, _ duration: Duration, _ clock: (any Clock<Duration>)?, isAwaited: Bool,
        _ completion: @escaping (Result<AuthorizationStatus, LocationError>) -> Void
    ) {
        let limit = RequestLimit(duration, clock: clock)
        guard let session = session(for: LocationRequest(device: request.device, purpose: .authorization)) else {
            if isAwaited { completion(.failure(.cancelled)) }
            return
        }
        add(AuthorizationRequest(in: session, limit, isAwaited: isAwaited, completion), as: number)
    }

    /// Adds a request to its session, which waits for its limit from now on.
    private func add(_ request: some PendingRequest, as number: Int) {
        var request = request
        request.limit.beginning = sessions[request.session]?.iterator?.now
        if request.limit.clock != nil { request.limit.task = begin(.limit(number, request.limit)) }
        requests[number] = request
        sessions[request.session]?.waker()
    }

    /// Returns the answer to a request, which `begin` begins with a closure for the answer.
    nonisolated(nonsending) private func answer<Value: Sendable>(
        to number: Int, _ begin: (_ reply: @escaping (Result<Value, LocationError>) -> Void) -> Void
    ) async throws(LocationError) -> Value {
        // The wait for a stream ends with the cancellation of the task, on any thread.
        let (results, continuation) = AsyncStream<Result<Value, LocationError>>.makeStream()
        begin { result in
            continuation.yield(result)
            continuation.finish()
        }
        var iterator = results.makeAsyncIterator()
        guard let result = await iterator.next(isolation: #isolation) else {
            withdraw(number)
            throw .cancelled
        }
        return try result.get()
    }

    /// Ends a request that nothing waits for any more.
    private func withdraw(_ number: Int) {
        guard let request = requests.removeValue(forKey: number) else { return }
        request.limit.task?.cancel()
        closeIfUnused(request.session)
    }
}
