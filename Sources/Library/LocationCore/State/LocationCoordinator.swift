import LocwatchSupport

/// A callback interface to any provider, modelled on CoreLocation's manager.
///
/// The session that is followed and all requests share one session of the provider. A request that joins it gets the current
/// position, if it is good enough. While a callback runs, the requests wait for it.
///
/// Safe to use from any thread. Callbacks run one at a time, in order: on the actor that was given to the initializer, or
/// else on a thread of the Swift runtime. `stop` waits for a callback that is running, unless that callback calls it, or waits itself
/// in the `stop` of another coordinator for the callback that calls it; after `stop` has returned, no callback begins. Do not call
/// `stop` while holding a lock that a callback needs, nor where a callback waits for it otherwise. Releasing the coordinator also
/// stops it.
///
/// For callbacks that use the state of views, see ``MainLocationCoordinator``; for a model that views observe, see `LocationModel` of `LocationObservation`.
public final class LocationCoordinator: Sendable {
    let provider: SharedProvider
    private let fences: FenceList?
    private let staleAfter: Duration?
    private let isolation: (any Actor)?
    private let content: Lock<CoordinatorState>
    /// The filter of the request, which a change of the request replaces within the running session.
    private let filter: LiveValue<LocationFilter>
    /// The lock that is held while callbacks run.
    private let delivery = ReentrantLock()

    /// Creates a coordinator that has not started; callbacks can be set at any time.
    ///
    /// - Parameters:
    ///   - provider: The provider to follow.
    ///   - request: The positions to receive.
    ///   - fences: The fences to watch, which can be changed at any time; `onFenceEvent` and `view` have the results.
    ///   - staleAfter: The time after which a position is stale; by default three cycles.
    ///   - actor: The actor on which callbacks run, if they are to.
    public init(
        _ provider: some LocationProvider, for request: LocationRequest = .everything, fences: FenceList? = nil,
        staleAfter: Duration? = nil, on actor: (any Actor)? = nil
    ) {
        self.provider = SharedProvider(provider, staleAfter: staleAfter)
        self.fences = fences
        self.staleAfter = staleAfter
        isolation = actor
        content = Lock(CoordinatorState(request: request))
        filter = LiveValue(LocationFilter(request))
    }

    deinit {
        for cancel in content.withLock({ $0.cancellations }) { cancel() }
    }

    /// The callback for each current position.
    ///
    /// It is not called for the position of a receiver that is not the current one, for a late position, and for one that
    /// the request does not admit.
    public var onUpdate: (@Sendable (Location) -> Void)? {
        get { content.withLock { $0.callbacks.update } }
        set { _ = content.withLock { exchange(&$0.callbacks.update, with: newValue) } }
    }

    /// The callback for each failure, whether the provider keeps trying or not.
    public var onFailure: (@Sendable (LocationError) -> Void)? {
        get { content.withLock { $0.callbacks.failure } }
        set { _ = content.withLock { exchange(&$0.callbacks.failure, with: newValue) } }
    }

    /// The callback for each change of state within a session; the end of a session and `stop` are none.
    public var onStateChange: (@Sendable (StateChange) -> Void)? {
        get { content.withLock { $0.callbacks.stateChange } }
        set { _ = content.withLock { exchange(&$0.callbacks.stateChange, with: newValue) } }
    }

    /// The callback for each event at a fence.
    ///
    /// The fences follow the current receiver; see `LocationProvider.fenceEvents(for:request:staleAfter:)`.
    public var onFenceEvent: (@Sendable (FenceEvent) -> Void)? {
        get { content.withLock { $0.callbacks.fence } }
        set { _ = content.withLock { exchange(&$0.callbacks.fence, with: newValue) } }
    }

    /// The callback for each change of the judgement whether a receiver's positions are to be believed.
    ///
    /// It is called before `onUpdate` is called for the position that caused the change; see <doc:JudgingIntegrity>. A map that
    /// shows positions without it also shows those of a spoofed receiver as current.
    public var onIntegrityChange: (@Sendable (IntegrityChange) -> Void)? {
        get { content.withLock { $0.callbacks.integrity } }
        set { _ = content.withLock { exchange(&$0.callbacks.integrity, with: newValue) } }
    }

    /// The callback for each answer to whether positions may be read; the first position of a session that has given none is
    /// one too, and so is a denial that is reported as a failure or ends the session.
    public var onAuthorizationChange: (@Sendable (AuthorizationStatus) -> Void)? {
        get { content.withLock { $0.callbacks.authorization } }
        set { _ = content.withLock { exchange(&$0.callbacks.authorization, with: newValue) } }
    }

    /// The callback for each change of `view`, `isRunning` or `authorization` that no call of a method has caused.
    package var onChange: (@Sendable () -> Void)? {
        get { content.withLock { $0.callbacks.change } }
        set { _ = content.withLock { exchange(&$0.callbacks.change, with: newValue) } }
    }

    /// The results of the session so far, for each receiver; after its end no position is current.
    public var view: SessionView { content.withLock { $0.view } }

    /// The current state; searching while nothing runs, or the error that ended the session.
    public var state: LocationState { content.withLock { $0.view.state } }

    /// The last current position of the requested receiver, which stays available when it is lost or the session ends.
    public var lastLocation: Location? { content.withLock { $0.lastLocation } }

    /// Whether a session runs; false after the end of the source and after an error that ended the session.
    public var isRunning: Bool { content.withLock { $0.isFollowing } }

    /// Whether positions may be read, as far as the provider has reported it.
    public var authorization: AuthorizationStatus { content.withLock { $0.authorization } }

    /// The request, which can be changed while the position is followed.
    ///
    /// A change of accuracy, distance, interval or age takes effect with the next position, without a gap. A change of
    /// anything else, such as the receiver, starts a new session.
    public var request: LocationRequest {
        get { content.withLock { $0.request } }
        set {
            let (cancel, next) = content.withLock { content in
                let cancel = content.change(newValue)
                filter.change { $0 = LocationFilter(newValue) }
                return (cancel, cancel == nil ? nil : content.addSession())
            }
            if let next { follow(next.request, in: next.task) }
            cancel?()
        }
    }

    /// Starts to follow the position; has no effect while it is followed.
    ///
    /// A session that has ended can be started again, also from within the callback that reports its end.
    public func start() {
        let next = content.withLock { $0.isFollowing ? nil : $0.addSession() }
        if let next { follow(next.request, in: next.task) }
    }

    /// Ends everything that was started; after it has returned, no callback begins.
    public func stop() {
        for cancel in content.withLock({ $0.stop() }) { cancel() }
        delivery.waitUntilFree()
    }

    /// Begins a task that follows a session, unless the session was stopped or replaced while the provider was asked for it.
    private func follow(_ request: LocationRequest, in task: Int) {
        // Without a lock, because the provider can read the coordinator.
        let updates = provider.updates(for: request)
        let tracked = TrackedUpdates(
            updates: updates, staleAfter: staleAfter,
            filters: SessionFilters(updates.filters(without: request), live: filter), goal: request, fences: fences)
        content.withLock { content in
            content.begin(task) { begin(task) { deliver in await Self.follow(tracked, deliver) } }
        }
    }

    /// The body of a task, which passes messages to `deliver`.
    typealias TaskBody =
        @Sendable (_ deliver: @escaping @Sendable (CoordinatorState.Message) async -> Void) async -> Void

    /// Runs a task that delivers messages, until it ends or `stop` is called.
    func run(_ body: @escaping TaskBody) {
        content.withLock { content in
            _ = content.addTask { begin($0, body) }
        }
    }

    /// Begins a task with a number, and returns its cancellation.
    private func begin(_ number: Int, _ body: @escaping TaskBody) -> CoordinatorState.Call {
        let task = Task { [weak self, isolation] in
            await body { [weak self] message in
                await self?.deliver(message, of: number, isolation: isolation)
            }
            self?.content.withLock { $0.removeTask(number) }
        }
        return { task.cancel() }
    }

    /// Awaits an operation that `stop` cancels.
    func value<Value: Sendable>(
        of operation: @escaping @Sendable () async -> Result<Value, LocationError>
    ) async throws(LocationError) -> Value {
        let task = Task { await operation() }
        let number = content.withLock { $0.addTask { _ in { task.cancel() } } }
        let result = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        content.withLock { $0.removeTask(number) }
        return try result.get()
    }

    /// Passes the updates of one session to a closure.
    ///
    /// Static, so that a running session does not keep the coordinator alive; the closure holds it weakly.
    private static func follow(_ tracked: TrackedUpdates, _ emit: (CoordinatorState.Message) async -> Void) async {
        var iterator = tracked.makeAsyncIterator()
        var answers = AuthorizationAnswers()
        do throws(LocationError) {
            while let next = try await iterator.next() {
                if case .update(let update, _) = next, let status = answers.answer(by: update.event) {
                    await emit(.authorization(status))
                }
                await emit(.tracked(next, iterator.view, isLast: iterator.hasEnded))
            }
            await emit(.end(nil))
        } catch {
            if let status = answers.answer(by: .failure(error)) { await emit(.authorization(status)) }
            await emit(.end(error))
        }
    }

    /// Calls the callbacks for a message, on the coordinator's actor.
    ///
    /// The checks are made on that actor, so that a message that was on its way while the actor called `stop` is dropped.
    private func deliver(_ message: CoordinatorState.Message, of task: Int, isolation: isolated (any Actor)?) {
        _ = delivery.withLock {
            let calls = content.withLock { $0.process(message, of: task) }
            for call in calls where content.withLock({ $0.hasTask(task) }) { call() }
            return calls
        }
    }
}
