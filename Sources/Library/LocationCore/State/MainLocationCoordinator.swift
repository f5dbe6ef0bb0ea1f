/// A callback interface to any provider whose closures are isolated to the main actor, so that they use the state of views as it is.
///
/// ```swift
/// let coordinator = MainLocationCoordinator(provider)
/// coordinator.onUpdate = { location in label.text = "\(location.coordinate)" }
/// coordinator.start()
/// ```
///
/// It is a ``LocationCoordinator`` on the main actor, whose rules for callbacks, for `stop` and for its release hold. For a model that views
/// observe, see `LocationModel` of `LocationObservation`.
@MainActor public final class MainLocationCoordinator {
    /// The coordinator that follows the provider, for its requests and its state; its callbacks are this object's.
    public nonisolated let coordinator: LocationCoordinator

    /// Creates a coordinator that has not started; callbacks can be set at any time.
    ///
    /// - Parameters:
    ///   - provider: The provider to follow.
    ///   - request: The positions to receive.
    ///   - fences: The fences to watch, which can be changed at any time; `onFenceEvent` has the results.
    ///   - staleAfter: The time after which a position is stale; by default three cycles.
    public init(
        _ provider: some LocationProvider, for request: LocationRequest = .everything, fences: FenceList? = nil,
        staleAfter: Duration? = nil
    ) {
        coordinator = LocationCoordinator(
            provider, for: request, fences: fences, staleAfter: staleAfter, on: MainActor.shared)
    }

    /// The callback for each current position; see ``LocationCoordinator/onUpdate``.
    public var onUpdate: (@MainActor (Location) -> Void)? {
        didSet { coordinator.onUpdate = Self.isolated(onUpdate) }
    }

    /// The callback for each failure, whether the provider keeps trying or not.
    public var onFailure: (@MainActor (LocationError) -> Void)? {
        didSet { coordinator.onFailure = Self.isolated(onFailure) }
    }

    /// The callback for each change of state within a session; see ``LocationCoordinator/onStateChange``.
    public var onStateChange: (@MainActor (StateChange) -> Void)? {
        didSet { coordinator.onStateChange = Self.isolated(onStateChange) }
    }

    /// The callback for each event at a fence.
    public var onFenceEvent: (@MainActor (FenceEvent) -> Void)? {
        didSet { coordinator.onFenceEvent = Self.isolated(onFenceEvent) }
    }

    /// The callback for each change of the judgement whether a receiver's positions are to be believed.
    public var onIntegrityChange: (@MainActor (IntegrityChange) -> Void)? {
        didSet { coordinator.onIntegrityChange = Self.isolated(onIntegrityChange) }
    }

    /// The callback for each answer to whether positions may be read.
    public var onAuthorizationChange: (@MainActor (AuthorizationStatus) -> Void)? {
        didSet { coordinator.onAuthorizationChange = Self.isolated(onAuthorizationChange) }
    }

    /// Starts to follow the position; has no effect while it is followed.
    public func start() { coordinator.start() }

    /// Ends everything that was started; after it has returned, no callback begins.
    public func stop() { coordinator.stop() }

    /// Returns a callback for the coordinator, which calls all of them on the main actor.
    private static func isolated<Value: Sendable>(
        _ callback: (@MainActor (Value) -> Void)?
    ) -> (@Sendable (Value) -> Void)? {
        guard let callback else { return nil }
        return { value in MainActor.assumeIsolated { callback(value) } }
    }
}
