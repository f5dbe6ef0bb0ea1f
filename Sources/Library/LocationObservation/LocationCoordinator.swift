public import LocationCore
public import Observation

/// An observable object that follows a provider, calls closures, and requests single positions.
///
/// ```swift
/// @MainActor final class PositionModel {
///     private let coordinator: LocationCoordinator
///
///     init(_ provider: some LocationProvider) {
///         coordinator = LocationCoordinator(provider)
///         coordinator.onUpdate = { [weak self] location in self?.show(location) }
///         coordinator.start()
///     }
/// }
/// ```
///
/// A coordinator belongs to the actor that creates it, usually the main actor: it is used there only, and calls its closures there, one at
/// a time. It is not `Sendable`, so the compiler checks this. After `stop` has returned, no closure is called. Releasing the coordinator
/// stops it too; closures that use its owner hold the owner weakly, because the coordinator keeps them.
///
/// Its properties are what the session has decided, and a position is never shown as current when it is not. A view is updated when a
/// value changes that it reads: one that shows only ``searchText`` is not updated by each position.
///
/// The session that is followed and all requests share one session of the provider. A request that joins it gets the current position, if
/// that is good enough.
@Observable public final class LocationCoordinator {
    // MARK: Callbacks

    /// The callback for each current position.
    ///
    /// It is not called for the position of a receiver that is not the current one, for a late position, and for one that
    /// the request does not admit.
    @ObservationIgnored public var onUpdate: ((Location) -> Void)?

    /// The callback for each failure, whether the provider keeps trying or not.
    @ObservationIgnored public var onFailure: ((LocationError) -> Void)?

    /// The callback for each change of state within a session; the end of a session and `stop` are none.
    @ObservationIgnored public var onStateChange: ((StateChange) -> Void)?

    /// The callback for each event at a fence.
    ///
    /// The fences follow the current receiver; see `LocationProvider.fenceEvents(for:request:staleAfter:)`.
    @ObservationIgnored public var onFenceEvent: ((FenceEvent) -> Void)?

    /// The callback for each change of the judgement whether a receiver's positions are to be believed.
    ///
    /// It is called before `onUpdate` is called for the position that caused the change. A map that shows positions without it also shows
    /// those of a spoofed receiver as current.
    @ObservationIgnored public var onIntegrityChange: ((IntegrityChange) -> Void)?

    /// The callback for each answer to whether positions may be read; the first position of a session that has given none is
    /// one too, and so is a denial that is reported as a failure or ends the session.
    @ObservationIgnored public var onAuthorizationChange: ((AuthorizationStatus) -> Void)?

    // MARK: The parts

    @ObservationIgnored let provider: any LocationProvider
    @ObservationIgnored let fences: FenceList?
    @ObservationIgnored let staleAfter: Duration?
    /// Begins a task on the actor of this coordinator; set at the end of the initializer, because the task refers to the coordinator.
    @ObservationIgnored private(set) var begin: (Work) -> Task<Void, Never>? = { _ in nil }

    /// The interpretation of the session that is followed, or was last: all that the properties tell.
    @ObservationIgnored var tracker = Tracker()
    /// The distance that this session has covered.
    @ObservationIgnored var meter = DistanceMeter()
    /// The last current position of the sessions before that one.
    @ObservationIgnored var earlierLocation: Location?
    /// The number of the session that is followed.
    @ObservationIgnored var followed: Int?
    @ObservationIgnored var sessions: [Int: OpenSession] = [:]
    /// The requests that wait for their answers.
    @ObservationIgnored var requests: [Int: any PendingRequest] = [:]
    /// The number of the session or the request that was begun last.
    @ObservationIgnored var lastNumber = 0
    /// The positions that were passed on last while another user could receive the same report.
    @ObservationIgnored var passed: [PassedLocation] = []
    /// The number of calls of `stop`.
    @ObservationIgnored private(set) var stops = 0
    @ObservationIgnored private var currentRequest: LocationRequest

    /// Creates a coordinator that has not started; callbacks can be set at any time.
    ///
    /// - Parameters:
    ///   - provider: The provider to follow.
    ///   - request: The positions to receive.
    ///   - fences: The fences to watch, which can be changed at any time; `onFenceEvent`, `isInside(_:)` and `view` have the results.
    ///   - staleAfter: The time after which a position is stale; by default three cycles.
    ///   - isolation: The actor to which the coordinator belongs, which is the caller's. Only the initial value of a property has to name
    ///     it, as `isolation: MainActor.shared`.
    public init(
        _ provider: some LocationProvider, for request: LocationRequest = .everything, fences: FenceList? = nil,
        staleAfter: Duration? = nil, isolation: isolated (any Actor) = #isolation
    ) {
        self.provider = provider
        self.fences = fences
        self.staleAfter = staleAfter
        currentRequest = request
        begin = { [weak self] work in
            Task { [weak self] in
                switch work {
                case .limit(let number, let limit):
                    do throws(CancellationError) { try await limit.sleep() } catch { return }
                    self?.timeOut(number)
                case .reading(let number, let updates):
                    var iterator = updates.makeAsyncIterator()
                    // A running session does not keep the coordinator alive.
                    while let wait = self?.nextWait(of: number, iterator) {
                        let step: Result<SessionStep, LocationError>
                        do throws(LocationError) {
                            step = .success(
                                try await iterator.unfilteredStep(until: wait.deadline, isolation: isolation))
                        } catch {
                            step = .failure(error)
                        }
                        self?.process(step, after: wait, of: number)
                    }
                }
            }
        }
    }

    deinit {
        for session in sessions.values { session.task?.cancel() }
        for request in requests.values { request.limit.task?.cancel() }
    }

    // MARK: State

    /// The results of the session so far, for each receiver; after its end no position is current.
    public var view: SessionView {
        access(keyPath: \.view)
        return tracker.view
    }

    /// The current state; searching while nothing runs, or the error that ended the session.
    public var state: LocationState {
        access(keyPath: \.state)
        return tracker.view.state
    }

    /// The current position, if any.
    public var location: Location? {
        access(keyPath: \.location)
        return tracker.view.location
    }

    /// The last current position of the requested receiver, which stays available when it is lost or the session ends.
    public var lastLocation: Location? {
        access(keyPath: \.lastLocation)
        return tracker.view.lastLocation ?? earlierLocation
    }

    /// The accuracy of the current position in metres, if known.
    public var accuracy: Double? {
        access(keyPath: \.accuracy)
        return tracker.view.location?.horizontalAccuracy
    }

    /// The direction in which this machine points, of the current position or of a compass without one, if known.
    public var attitude: Attitude? {
        access(keyPath: \.attitude)
        return tracker.view.attitude
    }

    /// Whether the position is to be believed: the judgement of the receiver whose position is current, or was last.
    public var verdict: IntegrityVerdict {
        access(keyPath: \.verdict)
        return tracker.view.verdict
    }

    /// Whether the receiver of the current position stands still; `false` without a position.
    public var isStationary: Bool {
        access(keyPath: \.isStationary)
        return tracker.view.isStationary
    }

    /// The distance in metres that the session has covered, without the drift of a receiver that stands; `nil` in a fleet.
    ///
    /// It is zero when a session begins, never decreases, and stays after the end of the session until `start` or `stop`. A motion counts
    /// once it is certain that the receiver has left its place. Positions that the request withholds count too, so that a
    /// `minimumInterval` or a `distanceFilter` does not shorten the way.
    public var distance: Double? {
        access(keyPath: \.distance)
        return meter.distance
    }

    /// Returns whether the position is inside a fence, or `nil` if no position has decided yet or there is no such fence.
    ///
    /// In a fleet each device has its own answer, which `view` knows.
    public func isInside(_ fence: String) -> Bool? {
        access(keyPath: \.fenceDecisions)
        return tracker.view.isInside(fence)
    }

    /// The last event at a fence in the session that is followed, or was last.
    public internal(set) var lastFenceEvent: FenceEvent?

    /// Whether positions may be read, as far as the provider has reported it.
    public internal(set) var authorization = AuthorizationStatus.notDetermined

    /// Whether a session is followed; false after the end of the source and after an error that ended the session.
    public var isRunning: Bool {
        access(keyPath: \.isRunning)
        return followed != nil
    }

    /// A description of why there is no current position, while a session searches for one; `nil` while none runs.
    public var searchText: String? {
        access(keyPath: \.searchText)
        guard followed != nil, case .searching(let reason) = tracker.view.state else { return nil }
        return reason.description
    }

    /// A description of the error, if the state is an error.
    public var errorText: String? {
        access(keyPath: \.errorText)
        guard case .error(let error) = tracker.view.state else { return nil }
        return error.description
    }

    /// The decisions about the fences of the session, of which observers of `isInside(_:)` are notified together.
    private var fenceDecisions: [Bool?] { tracker.view.fenceDecisions() }

    /// The values of the properties except the view, because a copy of the view takes time for each receiver.
    private struct Shown {
        let state: LocationState
        let lastLocation: Location?
        let verdict: IntegrityVerdict
        let isStationary: Bool
        let distance: Double?
        let attitude: Attitude?
        let fences: [String]
        let fenceDecisions: [Bool?]
        let isRunning: Bool
    }

    private var shown: Shown {
        Shown(
            state: tracker.view.state, lastLocation: tracker.view.lastLocation ?? earlierLocation,
            verdict: tracker.view.verdict, isStationary: tracker.view.isStationary, distance: meter.distance,
            attitude: tracker.view.attitude, fences: tracker.view.fenceNames,
            fenceDecisions: tracker.view.fenceDecisions(), isRunning: followed != nil)
    }

    /// Changes what the properties tell, and notifies the observers of those that have changed.
    func change(_ body: () -> Void) {
        let old = shown
        body()
        let new = shown
        notify(\.view)
        if new.isRunning != old.isRunning { notify(\.isRunning) }
        if new.lastLocation != old.lastLocation { notify(\.lastLocation) }
        if new.verdict != old.verdict { notify(\.verdict) }
        if new.isStationary != old.isStationary { notify(\.isStationary) }
        if new.distance != old.distance { notify(\.distance) }
        if new.attitude != old.attitude { notify(\.attitude) }
        if new.fences != old.fences || new.fenceDecisions != old.fenceDecisions { notify(\.fenceDecisions) }
        if new.state != old.state {
            notify(\.state)
            if new.state.location != old.state.location { notify(\.location) }
            if new.state.location?.horizontalAccuracy != old.state.location?.horizontalAccuracy { notify(\.accuracy) }
        }
        if new.state.reason != old.state.reason || new.isRunning != old.isRunning { notify(\.searchText) }
        if new.state.error != old.state.error { notify(\.errorText) }
    }

    private func notify<Value>(_ property: KeyPath<LocationCoordinator, Value>) {
        withMutation(keyPath: property) {}
    }

    // MARK: Following

    /// The request, which can be changed while the position is followed.
    ///
    /// A change of accuracy, distance, interval or age takes effect with the next position, without a gap. A change of
    /// anything else, such as the receiver, starts a new session.
    public var request: LocationRequest {
        get {
            access(keyPath: \.request)
            return currentRequest
        }
        set {
            let (old, session) = (currentRequest, followed)
            withMutation(keyPath: \.request) { currentRequest = newValue }
            if old.sessionPart == newValue.sessionPart {
                if session != nil { tracker.change(newValue) }
                return
            }
            change {
                show(nil)
                if old.device != newValue.device { earlierLocation = nil }
            }
            guard let session else { return }
            leave(session)
            follow()
        }
    }

    /// Starts to follow the position; has no effect while it is followed.
    ///
    /// A session that has ended can be started again, also from within the callback that reports its end.
    public func start() {
        if followed == nil { follow() }
    }

    /// Ends everything that was started; after it has returned, no callback is called.
    public func stop() {
        stops += 1
        let (sessions, requests) = (sessions, requests)
        (self.sessions, self.requests) = ([:], [:])
        change { show(nil) }
        for session in sessions.values { session.task?.cancel() }
        for request in requests.values {
            request.limit.task?.cancel()
            if request.isAwaited { request.fail(.cancelled) }
        }
    }
}

extension LocationState {
    fileprivate var reason: SearchReason? {
        if case .searching(let reason) = self { reason } else { nil }
    }

    fileprivate var error: LocationError? {
        if case .error(let error) = self { error } else { nil }
    }
}

extension SessionView {
    /// Whether the receiver of the current position stands still.
    fileprivate var isStationary: Bool { location.flatMap { self[$0.device]?.isStationary } ?? false }
}

extension LocationRequest {
    /// The request without what only filters positions.
    fileprivate var sessionPart: LocationRequest {
        var request = self
        request.accuracy = nil
        request.distanceFilter = nil
        request.minimumInterval = nil
        request.maxAge = nil
        request.fix = nil
        return request
    }
}
