public import LocationCore
import LocwatchSupport

/// A recorder that follows a provider and keeps its updates and the resulting state changes.
///
/// It starts a session at once and ends it in `stop()` or when the recorder is released.
public final class LocationRecorder: Sendable {
    private let content = Watched(RecorderContent())
    private let task: Task<Void, Never>
    /// Returns what is known about the cause of a wait that fails.
    private let notes: @Sendable () -> [String]

    /// Everything received so far: as a whole for conditions, so that a wait costs each update the same, and in order for a failure.
    private struct RecorderContent: Sendable {
        var session = RecordedSession()
        var entries: [RecorderEntry] = []

        mutating func append(_ entry: RecorderEntry) {
            session.append(entry)
            entries.append(entry)
        }
    }

    enum RecorderEntry: Sendable {
        case tracked(TrackedUpdate)
        case over(RecordedSession.Ending)
    }

    /// Creates a recorder and starts a session.
    ///
    /// - Parameters:
    ///   - provider: The provider to follow.
    ///   - request: The positions to receive.
    ///   - fences: The fences to watch in the session, if any.
    ///   - staleAfter: The time after which a position is stale; by default three cycles.
    public init(
        _ provider: some LocationProvider, for request: LocationRequest = .everything, fences: FenceList? = nil,
        staleAfter: Duration? = nil
    ) {
        let source = provider as? ScriptedLocationSource
        notes = { source?.notes ?? [] }
        let tracked = provider.tracked(for: request, fences: fences, staleAfter: staleAfter)
        task = Task { [content] in
            do throws(LocationError) {
                var iterator = tracked.makeAsyncIterator()
                while let next = try await iterator.next() { content.change { $0.append(.tracked(next)) } }
                content.change { $0.append(.over(.ended)) }
            } catch {
                content.change { $0.append(.over(.threw(error))) }
            }
        }
    }

    deinit { task.cancel() }

    /// Ends the session; the recording so far is kept.
    public func stop() { task.cancel() }

    /// The recording so far.
    public var recording: RecordedSession { content.value.session }

    /// Waits until the recording meets a condition, and returns it; see ``EventLog/wait(for:within:fileID:line:until:)``.
    @discardableResult
    public func wait(
        for name: String, within limit: Duration = .seconds(10), fileID: String = #fileID, line: Int = #line,
        until condition: @escaping @Sendable (RecordedSession) -> Bool
    ) async throws(ExpectationFailure) -> RecordedSession {
        try await content.wait(
            for: name, within: limit, at: CallSite(fileID: fileID, line: line), nothing: "nothing happened",
            notes: notes, until: { condition($0.session) }
        ) { $0.entries.map { "\($0)" } }
        return recording
    }

    /// Waits until the session has ended.
    @discardableResult
    public func untilEnded(
        within limit: Duration = .seconds(10), fileID: String = #fileID, line: Int = #line
    ) async throws(ExpectationFailure) -> RecordedSession {
        try await wait(for: "the end of the session", within: limit, fileID: fileID, line: line) { $0.ending != nil }
    }

    /// Waits until the states so far match the patterns; see `StatePattern`.
    @discardableResult
    public func wait(
        forStates patterns: [StatePattern], within limit: Duration = .seconds(10), fileID: String = #fileID,
        line: Int = #line
    ) async throws(ExpectationFailure) -> RecordedSession {
        try await wait(for: "the states \(StatePattern.list(patterns))", within: limit, fileID: fileID, line: line) {
            StatePattern.match(patterns, $0.states)
        }
    }

    /// Checks that the states so far match the patterns; the first state is always the initial search.
    public func expectStates(
        _ patterns: [StatePattern], fileID: String = #fileID, line: Int = #line
    ) throws(ExpectationFailure) {
        let states = recording.states
        guard StatePattern.match(patterns, states) else {
            throw ExpectationFailure(
                .states(expected: patterns, actual: states), at: CallSite(fileID: fileID, line: line))
        }
    }
}

extension LocationRecorder.RecorderEntry: CustomStringConvertible {
    var description: String {
        switch self {
        case .tracked(.update(let update, _)): "\(update.moment.elapsed): \(update.event)"
        case .tracked(.transition(let transition)): "\(transition.moment.elapsed): now \(transition.to.summary)"
        case .tracked(.deviceTransition(let transition)):
            "\(transition.moment.elapsed): \(transition.device ?? "the receiver") now \(transition.to.summary)"
        case .tracked(.handover(let handover)):
            "\(handover.moment.elapsed): \(handover.to ?? "another receiver") takes over (\(handover.reason.code))"
        case .tracked(.fence(let event)): "\(event.moment.elapsed): \(event.kind.rawValue) \(event.fence)"
        case .tracked(.integrity(let change)):
            "\(change.moment.elapsed): \(change.device ?? "the receiver") \(change.to.rawValue): \(change.message)"
        case .tracked(.failureEnded(let run, let moment)):
            "\(moment.elapsed): no longer \(run.error) (failed \(run.count.counting("time")))"
        case .over(.ended): "the session ended"
        case .over(.threw(let error)): "the session threw \(error)"
        }
    }
}
