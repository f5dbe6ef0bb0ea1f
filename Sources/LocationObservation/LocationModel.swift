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
/// A position is never shown as current when it is not: `location` is `nil` unless `state` is `found`.
@MainActor @Observable public final class LocationModel {
    /// The state of the search.
    public private(set) var state = LocationState.searching(.starting)
    /// The most recent position, which stays available after the fix is lost.
    public private(set) var lastLocation: Location?
    /// Whether positions may be read, as far as the provider has reported it.
    public private(set) var authorization = AuthorizationStatus.notDetermined
    /// Whether the model follows the position.
    public private(set) var isRunning = false

    @ObservationIgnored private let coordinator: MainLocationCoordinator

    /// Creates a model that has not started.
    ///
    /// - Parameters:
    ///   - provider: The provider to follow.
    ///   - request: The positions to receive.
    ///   - staleAfter: See `LocationTracker.init(staleAfter:)`.
    public init(
        _ provider: some LocationProvider, for request: LocationRequest = .everything, staleAfter: Duration? = nil
    ) {
        coordinator = MainLocationCoordinator(provider, for: request, staleAfter: staleAfter)
        coordinator.onUpdate = { [weak self] in self?.process($0) }
        coordinator.onStateChange = { [weak self] in self?.state = $0.to }
        coordinator.onAuthorizationChange = { [weak self] in self?.authorization = $0 }
    }

    /// The current position, if any.
    public var location: Location? { state.location }

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
        get { coordinator.request }
        set { coordinator.request = newValue }
    }

    /// Starts to follow the position; has no effect if the model already runs.
    public func start() {
        isRunning = true
        coordinator.start()
    }

    /// Stops following the position and returns to the initial search.
    public func stop() {
        coordinator.stop()
        isRunning = false
        state = .searching(.starting)
    }

    private func process(_ location: Location) {
        lastLocation = location
        if case .found = state { state = .found(location) }
    }
}
