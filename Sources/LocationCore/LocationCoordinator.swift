import LocwatchLock
import Synchronization

/// Callbacks over any provider, in the manner of CoreLocation's manager.
///
/// Safe to use from any thread. Callbacks come one at a time, in order, on a thread of the runtime's; once `stop` has
/// returned, none begins any more: `stop` waits for one that is under way, unless it is called from within it. So do not
/// call `stop` while you hold a lock that a callback needs. Letting go of the coordinator stops it too.
public final class LocationCoordinator: Sendable {
    private let provider: any LocationProvider
    private let request: LocationRequest
    private let staleAfter: Duration?
    private let content = Lock(Content())
    private let delivery = Lock(())

    /// The callbacks that the present call stands within.
    @TaskLocal private static var delivering: [Delivery] = []

    /// One callback.
    ///
    /// A task that is begun within it inherits it and may outlive it, so it tells whether it is over.
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
        /// Counts the calls of `stop`: what an older task still has to tell is not told.
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

    /// A coordinator that has not started; the callbacks can be set before and after.
    ///
    /// - Parameter staleAfter: see `LocationTracker.init(staleAfter:)`.
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

    /// Called with each position.
    public var onUpdate: (@Sendable (Location) -> Void)? {
        get { content.withLock { $0.callbacks.update } }
        set { content.withLock { $0.callbacks.update = newValue } }
    }

    /// Called with each failure, whether the provider goes on trying or not.
    public var onFailure: (@Sendable (LocationError) -> Void)? {
        get { content.withLock { $0.callbacks.failure } }
        set { content.withLock { $0.callbacks.failure = newValue } }
    }

    /// Called with each change of state.
    public var onStateChange: (@Sendable (Transition) -> Void)? {
        get { content.withLock { $0.callbacks.stateChange } }
        set { content.withLock { $0.callbacks.stateChange = newValue } }
    }

    /// Called when it becomes known whether positions may be had.
    public var onAuthorizationChange: (@Sendable (AuthorizationStatus) -> Void)? {
        get { content.withLock { $0.callbacks.authorization } }
        set { content.withLock { $0.callbacks.authorization = newValue } }
    }

    /// Where the search stands; while nothing runs it is searching, or the error that ended it.
    public var state: LocationState { content.withLock { $0.state } }

    /// Whether positions may be had, as far as the provider has said.
    public var authorization: AuthorizationStatus { content.withLock { $0.authorization } }

    /// Begins to follow the position; does nothing while it is followed.
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

    /// Ends everything that was begun; when it returns, no callback begins any more.
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
        // The one under way, if any, is over when the lock can be had.
        let isWithin = Self.delivering.contains {
            $0.coordinator == ObjectIdentifier(self) && !$0.isOver.load(ordering: .acquiring)
        }
        if !isWithin { delivery.withLock { _ in } }
    }

    /// Asks for one position that is good enough; it comes through `onUpdate`, or what was missing through `onFailure`.
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

    /// Asks for one position that is good enough; see the form with a clock.
    public func requestLocation(
        accuracy: Double? = nil, fix: FixKind = .twoD, maxAge: Duration? = nil, within limit: Duration = .seconds(60)
    ) {
        requestLocation(accuracy: accuracy, fix: fix, maxAge: maxAge, within: limit, clock: ContinuousClock())
    }

    /// Asks whether positions may be had; the answer comes through `onAuthorizationChange`.
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

    /// Starts a task that is known by its number until it has ended.
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
            // Nobody watches any more whether the position is still current; an error stays what it is.
            if case .found = content.state { content.state = .searching(.starting) }
        }
    }

    /// Static, and handing everything to a closure that holds the coordinator weakly, so that a session does not keep it.
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
