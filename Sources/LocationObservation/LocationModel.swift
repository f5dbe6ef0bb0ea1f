public import LocationCore
public import Observation

/// An observable model of the current position, for views and view models on the main actor.
///
/// ```swift
/// let model = LocationModel(GPSDLocationSource())
/// model.start()
/// // A view that reads model.location or model.errorText is updated when they change.
/// ```
///
/// A position is never shown as current when it is not: `location` is `nil` unless `state` is `found`, and at the end of the
/// session `state` is a search again.
@MainActor @Observable public final class LocationModel {
    @ObservationIgnored private let coordinator: LocationCoordinator

    /// Creates a model that has not started.
    ///
    /// - Parameters:
    ///   - provider: The provider to follow.
    ///   - request: The positions to receive.
    ///   - staleAfter: The time after which a position is stale; by default three cycles.
    public init(
        _ provider: some LocationProvider, for request: LocationRequest = .everything, staleAfter: Duration? = nil
    ) {
        coordinator = LocationCoordinator(provider, for: request, staleAfter: staleAfter, on: MainActor.shared)
        coordinator.onChange = { [weak self] in MainActor.assumeIsolated { self?.announce {} } }
    }

    /// The results of the session so far, for each receiver.
    public var view: SessionView { observed(coordinator.view) }

    /// The state of the search.
    public var state: LocationState { observed(coordinator.state) }

    /// The current position, if any.
    public var location: Location? { state.location }

    /// The last current position of the requested receiver, which stays available when it is lost or the session ends.
    public var lastLocation: Location? { observed(coordinator.lastLocation) }

    /// Whether positions may be read, as far as the provider has reported it.
    public var authorization: AuthorizationStatus { observed(coordinator.authorization) }

    /// Whether a session runs; false after the end of the source and after an error that ended the session.
    public var isRunning: Bool { observed(coordinator.isRunning) }

    /// The accuracy of the current position in metres, if known.
    public var accuracy: Double? { location?.horizontalAccuracy }

    /// A description of the error, if the state is an error.
    public var errorText: String? {
        if case .error(let error) = state { error.description } else { nil }
    }

    /// A description of why there is no current position, if the state is a search.
    public var searchText: String? {
        if case .searching(let reason) = state { reason.description } else { nil }
    }

    /// The request, which can be changed while the model runs; see `LocationCoordinator.request`.
    public var request: LocationRequest {
        get { observed(coordinator.request) }
        set { announce { coordinator.request = newValue } }
    }

    /// Starts to follow the position; has no effect while it is followed.
    public func start() { announce { coordinator.start() } }

    /// Stops following the position and returns to the initial search.
    public func stop() { announce { coordinator.stop() } }

    /// Returns a value of the coordinator, which is the only place that keeps it, and registers the access to it.
    private func observed<Value>(_ value: @autoclosure () -> Value) -> Value {
        access(keyPath: \.view)
        return value()
    }

    /// Tells observers that values of the coordinator change.
    private func announce(_ change: () -> Void) { withMutation(keyPath: \.view, change) }
}
