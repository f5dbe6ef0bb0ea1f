/// A `LocationCoordinator` for the main actor: its callbacks run there and can use the state of views and models.
///
/// ```swift
/// let coordinator = MainLocationCoordinator(provider)
/// coordinator.onUpdate = { location in label.text = "\(location.coordinate)" }
/// coordinator.start()
/// ```
///
/// After `stop` has returned, no callback begins.
@MainActor public final class MainLocationCoordinator {
    private let coordinator: LocationCoordinator

    /// Creates a coordinator that has not started; callbacks can be set at any time.
    ///
    /// - Parameters:
    ///   - provider: The provider to follow.
    ///   - request: The positions to receive.
    ///   - staleAfter: The time after which a position is stale; by default three cycles.
    public init(
        _ provider: some LocationProvider, for request: LocationRequest = .everything, staleAfter: Duration? = nil
    ) {
        coordinator = LocationCoordinator(provider, for: request, staleAfter: staleAfter, on: MainActor.shared)
    }

    /// The callback for each current position; see `LocationCoordinator.onUpdate`.
    public var onUpdate: (@MainActor (Location) -> Void)? {
        didSet { coordinator.onUpdate = onMainActor(onUpdate) }
    }

    /// The callback for each failure, whether the provider keeps trying or not.
    public var onFailure: (@MainActor (LocationError) -> Void)? {
        didSet { coordinator.onFailure = onMainActor(onFailure) }
    }

    /// The callback for each change of state.
    public var onStateChange: (@MainActor (StateChange) -> Void)? {
        didSet { coordinator.onStateChange = onMainActor(onStateChange) }
    }

    /// The callback for each answer to whether positions may be read.
    public var onAuthorizationChange: (@MainActor (AuthorizationStatus) -> Void)? {
        didSet { coordinator.onAuthorizationChange = onMainActor(onAuthorizationChange) }
    }

    /// See `LocationCoordinator.onChange`.
    package var onChange: (@MainActor () -> Void)? {
        didSet {
            let onChange = onChange
            coordinator.onChange = { MainActor.assumeIsolated { onChange?() } }
        }
    }

    /// The results of the session so far; see `LocationCoordinator.view`.
    public var view: SessionView { coordinator.view }

    /// The last current position of the requested receiver; see `LocationCoordinator.lastLocation`.
    public var lastLocation: Location? { coordinator.lastLocation }

    /// Whether a session runs; see `LocationCoordinator.isRunning`.
    public var isRunning: Bool { coordinator.isRunning }

    /// The current state; searching while nothing runs, or the error that ended the session.
    public var state: LocationState { coordinator.state }

    /// Whether positions may be read, as far as the provider has reported it.
    public var authorization: AuthorizationStatus { coordinator.authorization }

    /// The request, which can be changed while the position is followed; see `LocationCoordinator.request`.
    public var request: LocationRequest {
        get { coordinator.request }
        set { coordinator.request = newValue }
    }

    /// Starts to follow the position; has no effect if it is already followed.
    public func start() { coordinator.start() }

    /// Ends everything that was started; after it has returned, no callback begins.
    public func stop() { coordinator.stop() }

    /// Requests one position; it is delivered through `onUpdate`, or a failure through `onFailure`.
    ///
    /// The parameters are those of `LocationProvider.current`.
    public func requestLocation(
        accuracy: Double? = nil, fix: FixKind = .twoD, maxAge: Duration? = nil, within limit: Duration = .seconds(60)
    ) {
        coordinator.requestLocation(accuracy: accuracy, fix: fix, maxAge: maxAge, within: limit)
    }

    /// Returns one position, or throws an error that says what was missing; see `LocationCoordinator.location`.
    public func location(
        accuracy: Double? = nil, fix: FixKind = .twoD, maxAge: Duration? = nil, within limit: Duration = .seconds(60)
    ) async throws(LocationError) -> Location {
        try await coordinator.location(accuracy: accuracy, fix: fix, maxAge: maxAge, within: limit)
    }

    /// Returns whether positions may be read, and reports it to `onAuthorizationChange` too.
    ///
    /// The limit is that of `LocationProvider.authorization`.
    @discardableResult
    public func requestAuthorization(
        within limit: Duration = .seconds(60)
    ) async throws(LocationError) -> AuthorizationStatus {
        try await coordinator.requestAuthorization(within: limit)
    }

    private func onMainActor<Value: Sendable>(
        _ callback: (@MainActor (Value) -> Void)?
    ) -> (@Sendable (Value) -> Void)? {
        guard let callback else { return nil }
        // The coordinator calls back on the main actor, so this never traps.
        return { value in MainActor.assumeIsolated { callback(value) } }
    }
}
