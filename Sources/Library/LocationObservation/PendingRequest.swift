import LocationCore

/// A request that waits for its answer, in a session of the provider.
///
/// It has no clock and no task. The coordinator passes on the updates and the end of its session, and calls `reply` once it is answered,
/// on the actor of the coordinator.
protocol PendingRequest {
    associatedtype Value
    /// The number of the session that serves it.
    var session: Int { get }
    var limit: RequestLimit { get set }
    /// Whether a task awaits the answer, so that `stop` has to end the wait.
    var isAwaited: Bool { get }
    /// Whether the failures before the answer are reported.
    var reportsFailures: Bool { get }
    var answer: Result<Value, LocationError>? { get }
    /// Takes the answer.
    var completion: (Result<Value, LocationError>) -> Void { get }
    /// Processes an update of the session.
    mutating func process(_ update: LocationUpdate)
    /// Answers that the time or the session is over, at a moment of the session and after a time by the clock of the limit.
    ///
    /// - Parameter error: The error that the session threw, if any.
    mutating func end(at moment: Moment?, after time: Duration, throwing error: LocationError?)
}

extension PendingRequest {
    var isAnswered: Bool { answer != nil }

    /// Passes on the answer, if there is one.
    func reply() {
        if let answer { completion(answer) }
    }

    /// Passes on an error instead of an answer.
    func fail(_ error: LocationError) { completion(.failure(error)) }
}

/// The time by which a request is answered, by the clock of its session or by one that was given.
struct RequestLimit {
    let duration: Duration
    /// The clock that was given, which began with the request.
    let clock: SessionClock?
    /// The moment of the session at which the request began, or `nil` before the session has begun.
    var beginning: Moment?
    /// The task that waits for the limit by the clock that was given.
    var task: Task<Void, Never>?

    init(_ duration: Duration, clock: (any Clock<Duration>)?) {
        self.duration = duration
        self.clock = clock.map { SessionClock($0, startingAt: .now) }
    }

    /// The moment of the session at which the time is over, unless another clock decides it.
    var deadline: Moment? { clock == nil ? beginning?.advanced(by: duration) : nil }

    /// Returns the time since the beginning, at most the limit.
    func lasted(at moment: Moment?) -> Duration {
        if let clock { return min(duration, clock.now.elapsed) }
        guard let beginning, let moment else { return .zero }
        return min(duration, beginning.duration(to: moment))
    }

    /// Waits until the time is over by the clock that was given.
    func sleep() async throws(CancellationError) {
        guard let clock else { return }
        // What happens at the limit is still in time.
        try await clock.sleep(untilLimit: Moment(elapsed: .zero, wall: .now).advanced(by: duration))
    }
}

/// A request for one position.
struct PositionRequest: PendingRequest {
    let session: Int
    var limit: RequestLimit
    let isAwaited: Bool
    /// The interpretation of the session by the criteria of the request.
    var tracker: Tracker
    let completion: (Result<Location, LocationError>) -> Void
    private(set) var answer: Result<Location, LocationError>?

    init(
        in session: Int, _ limit: RequestLimit, _ tracker: Tracker, isAwaited: Bool,
        _ completion: @escaping (Result<Location, LocationError>) -> Void
    ) {
        self.session = session
        self.limit = limit
        self.tracker = tracker
        self.isAwaited = isAwaited
        self.completion = completion
        answer = self.tracker.nextAnswer()
    }

    var reportsFailures: Bool { false }

    mutating func process(_ update: LocationUpdate) {
        tracker.apply(update)
        let next = tracker.nextAnswer()
        answer = answer ?? next
    }

    mutating func end(at moment: Moment?, after time: Duration, throwing error: LocationError?) {
        guard answer == nil else { return }
        if let moment { tracker.expire(at: moment) }
        answer = .failure(error ?? tracker.view.shortfall(after: time))
    }
}

/// A request for the authorization.
struct AuthorizationRequest: PendingRequest {
    let session: Int
    var limit: RequestLimit
    let isAwaited: Bool
    let completion: (Result<AuthorizationStatus, LocationError>) -> Void
    private(set) var answer: Result<AuthorizationStatus, LocationError>?

    init(
        in session: Int, _ limit: RequestLimit, isAwaited: Bool,
        _ completion: @escaping (Result<AuthorizationStatus, LocationError>) -> Void
    ) {
        self.session = session
        self.limit = limit
        self.isAwaited = isAwaited
        self.completion = completion
    }

    var reportsFailures: Bool { !isAwaited }

    mutating func process(_ update: LocationUpdate) {
        if let status = update.event.authorization { answer = answer ?? .success(status) }
    }

    mutating func end(at moment: Moment?, after time: Duration, throwing error: LocationError?) {
        let ending: Result<AuthorizationStatus, LocationError> =
            switch error {
            case nil: .success(.notDetermined)
            case .denied?: .success(.denied)
            case let error?: .failure(error)
            }
        answer = answer ?? ending
    }
}
