public import LocationCore

/// A recorder that follows a provider and keeps its updates and the resulting state changes.
///
/// It starts a session at once and ends it in `stop()` or when the recorder is released.
public final class LocationRecorder: Sendable {
    private let log = EventLog<Entry>()
    private let task: Task<Void, Never>

    enum Entry: Sendable {
        case tracked(TrackedUpdate)
        case over(Recording.Ending)
    }

    /// Creates a recorder and starts a session.
    ///
    /// - Parameter staleAfter: See `LocationTracker.init(staleAfter:)`.
    public init(
        _ provider: some LocationProvider, for request: LocationRequest = .everything, staleAfter: Duration? = nil
    ) {
        let tracked = provider.tracked(for: request, staleAfter: staleAfter)
        task = Task { [log] in
            do throws(LocationError) {
                var iterator = tracked.makeAsyncIterator()
                while let next = try await iterator.next() { log.append(.tracked(next)) }
                log.append(.over(.ended))
            } catch {
                log.append(.over(.threw(error)))
            }
        }
    }

    deinit { task.cancel() }

    /// Ends the session; the recording so far is kept.
    public func stop() { task.cancel() }

    /// The recording so far.
    public var recording: Recording { Recording(log.events) }

    /// Waits until the recording meets a condition, and returns it; see `EventLog.wait`.
    @discardableResult
    public func wait<C: Clock>(
        for name: String, within limit: Duration = .seconds(10), clock: C = ContinuousClock(),
        until condition: @escaping @Sendable (Recording) -> Bool
    ) async throws(WaitFailure) -> Recording where C.Duration == Duration {
        Recording(try await log.wait(for: name, within: limit, clock: clock) { condition(Recording($0)) })
    }

    /// Waits until the session has ended.
    @discardableResult
    public func untilEnded(within limit: Duration = .seconds(10)) async throws(WaitFailure) -> Recording {
        try await wait(for: "the end of the session", within: limit) { $0.ending != nil }
    }

    /// Waits until the states so far match the patterns; see `StatePattern`.
    @discardableResult
    public func wait(
        forStates patterns: [StatePattern], within limit: Duration = .seconds(10)
    ) async throws(WaitFailure) -> Recording {
        try await wait(for: "the states \(StatePattern.list(patterns))", within: limit) {
            StatePattern.match(patterns, $0.states)
        }
    }

    /// Checks that the states so far match the patterns; the first state is always the initial search.
    public func expectStates(_ patterns: [StatePattern]) throws(StateMismatch) {
        let states = recording.states
        guard StatePattern.match(patterns, states) else { throw StateMismatch(expected: patterns, states: states) }
    }
}

/// The updates of a session and the resulting state changes.
public struct Recording: Sendable {
    /// The updates, in order.
    public private(set) var updates: [LocationUpdate] = []
    /// The changes of the session's state.
    public private(set) var transitions: [Transition] = []
    /// The changes of each receiver's state.
    public private(set) var deviceTransitions: [Transition] = []
    /// The changes of the current receiver.
    public private(set) var handovers: [Handover] = []
    /// The way the session ended, or `nil` while it runs.
    public private(set) var ending: Ending?

    /// The way a session ended.
    public enum Ending: Hashable, Sendable {
        /// The session ended by itself or because its task was cancelled.
        case ended
        /// The session threw an error.
        case threw(LocationError)
    }

    init(_ entries: [LocationRecorder.Entry]) {
        for entry in entries {
            switch entry {
            case .tracked(.update(let update)): updates.append(update)
            case .tracked(.transition(let transition)): transitions.append(transition)
            case .tracked(.deviceTransition(let transition)): deviceTransitions.append(transition)
            case .tracked(.handover(let handover)): handovers.append(handover)
            case .over(let ending): self.ending = ending
            }
        }
    }

    /// The positions.
    public var locations: [Location] {
        updates.compactMap { if case .location(let location) = $0.event { location } else { nil } }
    }

    /// The failures that did not end the session.
    public var failures: [LocationError] {
        updates.compactMap { if case .failure(let error, _) = $0.event { error } else { nil } }
    }

    /// The states of the session, beginning with the initial search.
    public var states: [LocationState] { [.searching(.starting)] + transitions.map(\.to) }
}

extension LocationRecorder.Entry: CustomStringConvertible {
    var description: String {
        switch self {
        case .tracked(.update(let update)): "\(update.moment.elapsed): \(update.event.summary)"
        case .tracked(.transition(let transition)): "\(transition.moment.elapsed): now \(transition.to.summary)"
        case .tracked(.deviceTransition(let transition)):
            "\(transition.moment.elapsed): \(transition.device ?? "the receiver") now \(transition.to.summary)"
        case .tracked(.handover(let handover)):
            "\(handover.moment.elapsed): \(handover.to ?? "another receiver") takes over (\(handover.reason.code))"
        case .over(.ended): "the session ended"
        case .over(.threw(let error)): "the session threw \(error)"
        }
    }
}
