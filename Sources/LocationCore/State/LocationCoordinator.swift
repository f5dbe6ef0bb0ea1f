import LocwatchSupport
import Synchronization

/// A callback interface to any provider, modelled on CoreLocation's manager.
///
/// Safe to use from any thread. Callbacks run one at a time, in order: on the actor that was given to the initializer, or
/// else on a thread of the Swift runtime. `stop` waits for a callback that is running, unless it is called from within
/// that callback; after `stop` has returned, no callback begins. Do not call `stop` while holding a lock that a callback
/// needs. Releasing the coordinator also stops it.
///
/// For callbacks on the main actor use `MainLocationCoordinator`.
public final class LocationCoordinator: Sendable {
    let provider: any LocationProvider
    private let staleAfter: Duration?
    private let isolation: (any Actor)?
    private let content: Lock<Content>
    private let delivery = Lock(())

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
        var request: LocationRequest
        var filter: LocationFilter
        var callbacks = Callbacks()
        var state = LocationState.searching(.starting)
        var authorization = AuthorizationStatus.notDetermined
        /// The number of calls to `stop`; messages from tasks of an earlier generation are dropped.
        var generation = 0
        var following: Int?
        var tasks: [Int: @Sendable () -> Void] = [:]
        var lastTask = 0
    }

    private struct Callbacks {
        var update: (@Sendable (Location) -> Void)?
        var failure: (@Sendable (LocationError) -> Void)?
        var stateChange: (@Sendable (Transition) -> Void)?
        var authorization: (@Sendable (AuthorizationStatus) -> Void)?
        weak var delegate: (any LocationCoordinatorDelegate)?
    }

    /// Creates a coordinator that has not started; callbacks can be set at any time.
    ///
    /// - Parameters:
    ///   - provider: The provider to follow.
    ///   - request: The positions to receive.
    ///   - staleAfter: See `LocationTracker.init(staleAfter:)`.
    ///   - actor: The actor on which callbacks run. A callback can use the actor's state through `assumeIsolated`.
    public init(
        _ provider: some LocationProvider, for request: LocationRequest = .everything, staleAfter: Duration? = nil,
        on actor: (any Actor)? = nil
    ) {
        self.provider = provider
        self.staleAfter = staleAfter
        isolation = actor
        content = Lock(Content(request: request, filter: LocationFilter(request)))
    }

    deinit {
        for cancel in content.withLock({ $0.tasks.values }) { cancel() }
    }

    /// The callback for each position.
    public var onUpdate: (@Sendable (Location) -> Void)? {
        get { content.withLock { $0.callbacks.update } }
        set { content.withLock { $0.callbacks.update = newValue } }
    }

    /// The callback for each failure, whether the provider keeps trying or not.
    public var onFailure: (@Sendable (LocationError) -> Void)? {
        get { content.withLock { $0.callbacks.failure } }
        set { content.withLock { $0.callbacks.failure = newValue } }
    }

    /// The callback for each change of state.
    public var onStateChange: (@Sendable (Transition) -> Void)? {
        get { content.withLock { $0.callbacks.stateChange } }
        set { content.withLock { $0.callbacks.stateChange = newValue } }
    }

    /// The callback for each answer to whether positions may be read.
    public var onAuthorizationChange: (@Sendable (AuthorizationStatus) -> Void)? {
        get { content.withLock { $0.callbacks.authorization } }
        set { content.withLock { $0.callbacks.authorization = newValue } }
    }

    /// An object that is notified beside the callbacks; held weakly.
    public var delegate: (any LocationCoordinatorDelegate)? {
        get { content.withLock { $0.callbacks.delegate } }
        set { content.withLock { $0.callbacks.delegate = newValue } }
    }

    /// The current state; searching while nothing runs, or the error that ended the session.
    public var state: LocationState { content.withLock { $0.state } }

    /// Whether positions may be read, as far as the provider has reported it.
    public var authorization: AuthorizationStatus { content.withLock { $0.authorization } }

    /// The request, which can be changed while the position is followed.
    ///
    /// A change of accuracy, distance, interval or age takes effect with the next position, without a gap. A change of
    /// anything else, such as the receiver, starts a new session.
    public var request: LocationRequest {
        get { content.withLock { $0.request } }
        set {
            let cancel = content.withLock { content -> (@Sendable () -> Void)? in
                let needsSession = content.request.sessionPart != newValue.sessionPart
                content.request = newValue
                content.filter = LocationFilter(newValue)
                guard needsSession, let following = content.following else { return nil }
                let cancel = content.tasks.removeValue(forKey: following)
                content.following = nil
                content.state = .searching(.starting)
                follow(&content)
                return cancel
            }
            cancel?()
        }
    }

    /// Starts to follow the position; has no effect if it is already followed.
    public func start() {
        content.withLock { content in
            if content.following == nil { follow(&content) }
        }
    }

    /// Ends everything that was started; after it has returned, no callback begins.
    public func stop() {
        let tasks = content.withLock { content in
            let tasks = content.tasks.values
            content.generation += 1
            content.tasks = [:]
            content.following = nil
            content.state = .searching(.starting)
            return tasks
        }
        for cancel in tasks { cancel() }
        // A running callback holds this lock until it returns.
        let isWithin = Self.delivering.contains {
            $0.coordinator == ObjectIdentifier(self) && !$0.isOver.load(ordering: .acquiring)
        }
        if !isWithin { delivery.withLock { _ in } }
    }

    private func follow(_ content: inout Content) {
        let updates = provider.updates(for: content.request).withoutFilter(of: content.request)
        let tracked = TrackedUpdates(updates: updates, staleAfter: staleAfter)
        let isolation = isolation
        content.following = run(&content) { [weak self] number, generation in
            await Self.follow(tracked) { message in
                await self?.deliver(message, number, generation, isolation: isolation)
            }
            self?.hasEnded(number)
        }
    }

    /// A message for the callbacks.
    enum Message: Sendable {
        case update(LocationUpdate)
        case location(Location)
        case failure(LocationError)
        case transition(Transition)
        case authorization(AuthorizationStatus)
        case completion(@Sendable () -> Void)
    }

    /// Runs a task that delivers messages, until it ends or `stop` is called.
    func run(_ body: @escaping @Sendable (_ deliver: @Sendable (Message) async -> Void) async -> Void) {
        let isolation = isolation
        content.withLock { content in
            _ = run(&content) { [weak self] number, generation in
                await body { [weak self] message in
                    await self?.deliver(message, number, generation, isolation: isolation)
                }
                self?.hasEnded(number)
            }
        }
    }

    /// Awaits an operation that `stop` cancels.
    func value<Value: Sendable>(
        of operation: @escaping @Sendable () async -> Result<Value, LocationError>
    ) async throws(LocationError) -> Value {
        let task = Task { await operation() }
        let number = content.withLock { content in
            content.lastTask += 1
            content.tasks[content.lastTask] = { task.cancel() }
            return content.lastTask
        }
        let result = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        hasEnded(number)
        return try result.get()
    }

    /// Starts a task that is identified by its number until it has ended.
    private func run(
        _ content: inout Content, _ body: @escaping @Sendable (_ number: Int, _ generation: Int) async -> Void
    ) -> Int {
        content.lastTask += 1
        let (number, generation) = (content.lastTask, content.generation)
        let task = Task { await body(number, generation) }
        content.tasks[number] = { task.cancel() }
        return number
    }

    private func hasEnded(_ number: Int) {
        content.withLock { content in
            content.tasks[number] = nil
            guard content.following == number else { return }
            content.following = nil
            // Without a session the position is not known to be current; an error stays.
            if case .found = content.state { content.state = .searching(.starting) }
        }
    }

    /// Passes the messages of one session to a closure.
    ///
    /// Static, so that a running session does not keep the coordinator alive; the closure holds it weakly.
    static func follow(_ tracked: TrackedUpdates, _ emit: (Message) async -> Void) async {
        do throws(LocationError) {
            var iterator = tracked.makeAsyncIterator()
            while let next = try await iterator.next() {
                switch next {
                case .transition(let transition): await emit(.transition(transition))
                case .deviceTransition, .handover: break
                case .update(let update):
                    switch update.event {
                    case .location: await emit(.update(update))
                    case .failure(let error, _): await emit(.failure(error))
                    case .authorization(let status): await emit(.authorization(status))
                    case .searching, .satellites, .device, .receiver, .clock, .line, .notice: break
                    }
                }
            }
        } catch {
            await emit(.failure(error))
        }
    }

    /// Calls the callbacks for a message, on the coordinator's actor.
    ///
    /// The checks are made on that actor, so that a message that was on its way while the actor called `stop` is dropped.
    private func deliver(_ message: Message, _ number: Int, _ generation: Int, isolation: isolated (any Actor)?) {
        delivery.withLock { _ in
            let callbacks = content.withLock { content -> Callbacks? in
                guard content.generation == generation, content.tasks[number] != nil else { return nil }
                switch message {
                case .transition(let transition): content.state = transition.to
                case .authorization(let status): content.authorization = status
                case .update(let update):
                    if case .found = content.state, let location = update.location { content.state = .found(location) }
                    guard content.filter.admits(update) else { return nil }
                case .location, .failure, .completion: break
                }
                return content.callbacks
            }
            guard let callbacks else { return }
            let current = Delivery(of: self)
            defer { current.isOver.store(true, ordering: .releasing) }
            Self.$delivering.withValue(Self.delivering.filter { !$0.isOver.load(ordering: .relaxed) } + [current]) {
                call(callbacks, for: message)
            }
        }
    }

    private func call(_ callbacks: Callbacks, for message: Message) {
        let delegate = callbacks.delegate
        switch message {
        case .location(let location):
            callbacks.update?(location)
            delegate?.coordinator(self, didUpdate: location)
        case .update(let update):
            if let location = update.location { call(callbacks, for: .location(location)) }
        case .failure(let error):
            callbacks.failure?(error)
            delegate?.coordinator(self, didFailWith: error)
        case .transition(let transition):
            callbacks.stateChange?(transition)
            delegate?.coordinator(self, didChangeState: transition)
        case .authorization(let status):
            callbacks.authorization?(status)
            delegate?.coordinator(self, didChangeAuthorization: status)
        case .completion(let body): body()
        }
    }
}

extension LocationRequest {
    /// The request without what only filters positions.
    fileprivate var sessionPart: LocationRequest {
        var request = self
        request.desiredAccuracy = nil
        request.distanceFilter = nil
        request.minimumInterval = nil
        request.maximumAge = nil
        return request
    }
}
