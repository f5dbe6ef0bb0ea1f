import Synchronization

/// A callback interface to any provider, modelled on CoreLocation's manager.
///
/// Safe to use from any thread. Callbacks run one at a time, in order, on a thread of the Swift runtime. `stop` waits
/// for a callback that is running, unless it is called from within that callback; after `stop` has returned, no
/// callback begins. Do not call `stop` while holding a lock that a callback needs. Releasing the coordinator also stops
/// it.
public final class LocationCoordinator: Sendable {
    private let provider: any LocationProvider
    private let request: LocationRequest
    private let staleAfter: Duration?
    private let content = Mutex(Content())
    private let delivery = Mutex(())

    /// The callbacks within which the current task runs.
    @TaskLocal private static var delivering: [Delivery] = []

    /// One running callback.
    ///
    /// A task that is started within the callback inherits this value and may outlive the callback, so it records the
    /// end.
    private final class Delivery: Sendable {
        let coordinator: ObjectIdentifier
        let isOver = Atomic(false)

        init(of coordinator: LocationCoordinator) {
            self.coordinator = ObjectIdentifier(coordinator)
        }
    }

    private struct Content {
        var callbacks = Callbacks()
        var state = LocationState.searching(.starting)
        var authorization = AuthorizationStatus.notDetermined
        /// The number of calls to `stop`; messages from tasks of an earlier generation are dropped.
        var generation = 0
        var following: Int?
        var tasks: [Int: Task<Void, Never>] = [:]
        var lastTask = 0
    }

    private struct Callbacks {
        var update: (@Sendable (Location) -> Void)?
        var failure: (@Sendable (LocationError) -> Void)?
        var stateChange: (@Sendable (Transition) -> Void)?
        var authorization: (@Sendable (AuthorizationStatus) -> Void)?
    }

    /// Creates a coordinator that has not started; callbacks can be set at any time.
    ///
    /// - Parameter staleAfter: See `LocationTracker.init(staleAfter:)`.
    public init(
        _ provider: some LocationProvider, for request: LocationRequest = .everything, staleAfter: Duration? = nil
    ) {
        self.provider = provider
        self.request = request
        self.staleAfter = staleAfter
    }

    deinit {
        for task in content.withLock({ $0.tasks.values }) { task.cancel() }
    }

    /// The closure called with each position.
    public var onUpdate: (@Sendable (Location) -> Void)? {
        get { content.withLock { $0.callbacks.update } }
        set { content.withLock { $0.callbacks.update = newValue } }
    }

    /// The closure called with each failure, whether or not the provider retries.
    public var onFailure: (@Sendable (LocationError) -> Void)? {
        get { content.withLock { $0.callbacks.failure } }
        set { content.withLock { $0.callbacks.failure = newValue } }
    }

    /// The closure called with each change of state.
    public var onStateChange: (@Sendable (Transition) -> Void)? {
        get { content.withLock { $0.callbacks.stateChange } }
        set { content.withLock { $0.callbacks.stateChange = newValue } }
    }

    /// The closure called when the provider reports its authorization.
    public var onAuthorizationChange: (@Sendable (AuthorizationStatus) -> Void)? {
        get { content.withLock { $0.callbacks.authorization } }
        set { content.withLock { $0.callbacks.authorization = newValue } }
    }

    /// The current state; while the coordinator is not started it is searching, or the error that ended the session.
    public var state: LocationState { content.withLock { $0.state } }

    /// The authorization that the provider last reported.
    public var authorization: AuthorizationStatus { content.withLock { $0.authorization } }

    /// Starts following the position; does nothing if already started.
    public func start() {
        content.withLock { content in
            guard content.following == nil else { return }
            let tracked = provider.tracked(for: request, staleAfter: staleAfter)
            content.following = run(&content) { [weak self] number, generation in
                await Self.follow(tracked) { self?.deliver($0, generation) }
                self?.hasEnded(number)
            }
        }
    }

    /// Stops all requests; after it has returned, no callback begins.
    public func stop() {
        let tasks = content.withLock { content in
            let tasks = content.tasks.values
            content.generation += 1
            content.tasks = [:]
            content.following = nil
            content.state = .searching(.starting)
            return tasks
        }
        for task in tasks { task.cancel() }
        // Acquiring the lock waits for a running callback.
        let isWithin = Self.delivering.contains {
            $0.coordinator == ObjectIdentifier(self) && !$0.isOver.load(ordering: .acquiring)
        }
        if !isWithin { delivery.withLock { _ in } }
    }

    /// Requests one position that is good enough; it arrives through `onUpdate`, or an error through `onFailure`.
    ///
    /// The parameters are those of `LocationProvider.current`.
    public func requestLocation<C: Clock>(
        accuracy: Double? = nil, fix: FixKind = .twoD, maxAge: Duration? = nil, within limit: Duration = .seconds(60),
        clock: C
    ) where C.Duration == Duration {
        let (provider, device) = (provider, request.device)
        content.withLock { content in
            _ = run(&content) { [weak self] number, generation in
                let result: Message
                do throws(LocationError) {
                    result = .location(
                        try await provider.current(
                            accuracy: accuracy, fix: fix, maxAge: maxAge, device: device, within: limit, clock: clock))
                } catch {
                    result = .failure(error)
                }
                self?.deliver(result, generation)
                self?.hasEnded(number)
            }
        }
    }

    /// Requests one position that is good enough; see the overload with a clock.
    public func requestLocation(
        accuracy: Double? = nil, fix: FixKind = .twoD, maxAge: Duration? = nil, within limit: Duration = .seconds(60)
    ) {
        requestLocation(accuracy: accuracy, fix: fix, maxAge: maxAge, within: limit, clock: ContinuousClock())
    }

    /// Requests the authorization, which arrives through `onAuthorizationChange`.
    public func requestAuthorization() {
        var request = request
        request.purpose = .authorization
        let tracked = provider.tracked(for: request, staleAfter: staleAfter)
        content.withLock { content in
            _ = run(&content) { [weak self] number, generation in
                await Self.follow(tracked) { message in
                    switch message {
                    case .authorization, .failure: self?.deliver(message, generation)
                    case .location, .transition: break
                    }
                    if case .authorization = message { withUnsafeCurrentTask { $0?.cancel() } }
                }
                self?.hasEnded(number)
            }
        }
    }

    private enum Message {
        case location(Location)
        case failure(LocationError)
        case transition(Transition)
        case authorization(AuthorizationStatus)
    }

    /// Starts a task that is registered under its number until it has ended.
    private func run(
        _ content: inout Content, _ body: @escaping @Sendable (_ number: Int, _ generation: Int) async -> Void
    ) -> Int {
        content.lastTask += 1
        let (number, generation) = (content.lastTask, content.generation)
        content.tasks[number] = Task { await body(number, generation) }
        return number
    }

    private func hasEnded(_ number: Int) {
        content.withLock { content in
            content.tasks[number] = nil
            guard content.following == number else { return }
            content.following = nil
            // Without a session the position can become stale unnoticed, so it no longer counts; an error remains.
            if case .found = content.state { content.state = .searching(.starting) }
        }
    }

    /// Forwards the events of a session; static, with a closure that holds the coordinator weakly, so that a session
    /// does not retain it.
    private static func follow(_ tracked: TrackedUpdates, _ tell: (Message) -> Void) async {
        do throws(LocationError) {
            var iterator = tracked.makeAsyncIterator()
            while let next = try await iterator.next() {
                switch next {
                case .transition(let transition): tell(.transition(transition))
                case .deviceTransition, .handover: break
                case .update(let update):
                    switch update.event {
                    case .location(let location): tell(.location(location))
                    case .failure(let error, _): tell(.failure(error))
                    case .authorization(let status): tell(.authorization(status))
                    case .searching, .satellites, .device, .receiver, .line, .notice: break
                    }
                }
            }
        } catch {
            tell(.failure(error))
        }
    }

    private func deliver(_ message: Message, _ generation: Int) {
        delivery.withLock { _ in
            let callbacks = content.withLock { content -> Callbacks? in
                guard content.generation == generation else { return nil }
                switch message {
                case .transition(let transition): content.state = transition.to
                case .authorization(let status): content.authorization = status
                case .location(let location):
                    if case .found = content.state { content.state = .found(location) }
                case .failure: break
                }
                return content.callbacks
            }
            guard let callbacks else { return }
            let current = Delivery(of: self)
            defer { current.isOver.store(true, ordering: .releasing) }
            Self.$delivering.withValue(Self.delivering.filter { !$0.isOver.load(ordering: .relaxed) } + [current]) {
                switch message {
                case .location(let location): callbacks.update?(location)
                case .failure(let error): callbacks.failure?(error)
                case .transition(let transition): callbacks.stateChange?(transition)
                case .authorization(let status): callbacks.authorization?(status)
                }
            }
        }
    }
}
