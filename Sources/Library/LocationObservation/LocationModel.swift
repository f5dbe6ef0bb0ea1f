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
/// A position is never shown as current when it is not: `location` is `nil` unless `state` is `found`, and while no session
/// runs, `state` is the error that ended it, or a search. A view is updated when a value changes that it reads: one that
/// shows only `searchText` is not updated by each position.
@MainActor @Observable public final class LocationModel {
    @ObservationIgnored private let coordinator: LocationCoordinator
    private var insideFences: [String: Bool] = [:]

    /// Creates a model that has not started.
    ///
    /// - Parameters:
    ///   - provider: The provider to follow.
    ///   - request: The positions to receive.
    ///   - fences: The fences to watch, which can be changed at any time; see `isInside(_:)`.
    ///   - staleAfter: The time after which a position is stale; by default three cycles.
    public init(
        _ provider: some LocationProvider, for request: LocationRequest = .everything, fences: FenceList? = nil,
        staleAfter: Duration? = nil
    ) {
        coordinator = LocationCoordinator(
            provider, for: request, fences: fences, staleAfter: staleAfter, on: MainActor.shared)
        coordinator.onChange = { [weak self] in MainActor.assumeIsolated { self?.update() } }
    }

    /// The results of the session so far, for each receiver.
    public private(set) var view = SessionView()

    /// The state of the search.
    public private(set) var state = LocationState.searching(.starting)

    /// The last current position of the requested receiver, which stays available when it is lost or the session ends.
    public private(set) var lastLocation: Location?

    /// Whether the position is to be believed: the judgement of the receiver whose position is current, or was last.
    public private(set) var verdict = IntegrityVerdict.nominal

    /// Whether the receiver of the current position stands still; `false` without a position.
    public private(set) var isStationary = false

    /// Whether positions may be read, as far as the provider has reported it.
    public private(set) var authorization = AuthorizationStatus.notDetermined

    /// Whether a session runs; false after the end of the source and after an error that ended the session.
    public private(set) var isRunning = false

    /// The accuracy of the current position in metres, if known.
    public private(set) var accuracy: Double?

    /// The direction in which this machine points, of the current position or of a compass without one, if known.
    public private(set) var attitude: Attitude?

    /// A description of the error, if the state is an error.
    public private(set) var errorText: String?

    /// A description of why there is no current position, while a session searches for one; `nil` while none runs.
    public private(set) var searchText: String?

    /// The current position, if any.
    public var location: Location? { state.location }

    /// Returns whether the position is inside a fence, or `nil` if no position has decided yet or there is no such fence.
    ///
    /// In a fleet each device has its own answer, which `view` knows.
    public func isInside(_ fence: String) -> Bool? { insideFences[fence] }

    /// The request, which can be changed while the model runs; see `LocationCoordinator.request`.
    public var request: LocationRequest {
        get {
            access(keyPath: \.request)
            return coordinator.request
        }
        set {
            withMutation(keyPath: \.request) { coordinator.request = newValue }
            update()
        }
    }

    /// Starts to follow the position; has no effect while it is followed.
    public func start() {
        coordinator.start()
        update()
    }

    /// Stops following the position and returns to the initial search.
    public func stop() {
        coordinator.stop()
        update()
    }

    /// Takes over the values of the coordinator; observers are notified only of those that differ.
    private func update() {
        view = coordinator.view
        set(\.state, to: view.state)
        set(\.lastLocation, to: coordinator.lastLocation)
        set(\.verdict, to: view.verdict)
        set(\.isStationary, to: location.flatMap { view[$0.device]?.isStationary } ?? false)
        set(\.authorization, to: coordinator.authorization)
        set(\.isRunning, to: coordinator.isRunning)
        set(\.accuracy, to: location?.horizontalAccuracy)
        set(\.attitude, to: view.attitude)
        let texts: (search: String?, error: String?) =
            switch state {
            case .searching(let reason): (isRunning ? reason.description : nil, nil)
            case .error(let error): (nil, error.description)
            case .found: (nil, nil)
            }
        set(\.searchText, to: texts.search)
        set(\.errorText, to: texts.error)
        var inside: [String: Bool] = [:]
        for (fence, isInside) in zip(view.fenceNames, view.fenceDecisions()) { inside[fence] = isInside }
        set(\.insideFences, to: inside)
    }

    private func set<Value: Equatable>(_ property: ReferenceWritableKeyPath<LocationModel, Value>, to value: Value) {
        if self[keyPath: property] != value { self[keyPath: property] = value }
    }
}
