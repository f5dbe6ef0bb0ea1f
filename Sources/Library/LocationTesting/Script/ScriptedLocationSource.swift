public import LocationCore
import LocwatchSupport

/// A location provider that emits the events of a script and events that a test forces while it runs.
///
/// ```swift
/// let clock = ManualClock()
/// let source = ScriptedLocationSource(
///     [
///         .searching(.noFix(seen: 4, used: 0, best: 31)),
///         .wait(.seconds(2)),
///         .location(52.5163, 13.3777),
///     ], clock: clock)
/// ```
///
/// Each iteration of `updates(for:)` is a separate session that plays the script from the start. After the script the
/// session stays open, like that of a receiver, until `.end` or `end(throwing:)`. Forced events go to all running
/// sessions. If none runs, they are kept for the next session, which emits them before its script.
///
/// A session that asks for the authorization is answered `authorized` at once, unless the test forces another status or the script
/// has a step that answers it: `.authorization`, or the error `.denied`, which can end the session.
public final class ScriptedLocationSource: LocationProvider {
    private struct ScriptedSourceContent: Sendable {
        var sessions: [Int: ScriptedSourceSession] = [:]
        var lastSession = 0
        var kept: [LocationEvent] = []
        var keptEnding: ScriptedSourceSession.Ending?
        var authorization: AuthorizationStatus?
        var calls: [SourceCall] = []
        var tasks: [Int: Task<Void, Never>] = [:]
        var lastTask = 0
    }

    private let script: @Sendable (_ session: Int, LocationRequest) -> [ScriptStep]
    /// The clock of the source; each session has its own clock, which starts with the session.
    private let clock: SessionClock
    /// The clock that waits for the sessions, if it is a manual one.
    private let manual: ManualClock?
    private let makeClock: @Sendable (Timestamp) -> SessionClock
    private let content = Watched(ScriptedSourceContent())
    private let answer = Lock<Answer?>(nil)

    /// A closure that returns the position for a request, or throws the failure to emit instead.
    public typealias Answer = @Sendable (LocationRequest) throws(LocationError) -> Location?

    /// Creates a source that plays a script.
    ///
    /// Without steps it emits only forced events.
    ///
    /// - Parameters:
    ///   - script: The script of every session.
    ///   - clock: The clock for the waits. With a `ManualClock`, nothing that waits happens before the test advances
    ///     it.
    ///   - start: The civil time at the creation of the source; it advances with the clock.
    public convenience init<C: Clock>(
        _ script: [ScriptStep] = [], clock: C = ContinuousClock(), startingAt start: Timestamp = .testEpoch
    ) where C.Duration == Duration {
        self.init(sessions: [script], clock: clock, startingAt: start)
    }

    /// Creates a source whose sessions play the given scripts in turn; further sessions repeat the last script.
    ///
    /// Use it to test, for example, a failure at the first attempt and success at the second.
    public convenience init<C: Clock>(
        sessions scripts: [[ScriptStep]], clock: C = ContinuousClock(), startingAt start: Timestamp = .testEpoch
    ) where C.Duration == Duration {
        self.init(clock, start) { session, _ in scripts.isEmpty ? [] : scripts[min(session, scripts.count) - 1] }
    }

    /// Creates a source that chooses the script of each session by its request.
    ///
    /// ```swift
    /// let source = ScriptedLocationSource(clock: clock) { request in
    ///     request.purpose == .once ? [.location(52.5163, 13.3777)] : [.searching(.noDevice)]
    /// }
    /// ```
    public convenience init<C: Clock>(
        clock: C = ContinuousClock(), startingAt start: Timestamp = .testEpoch,
        script: @escaping @Sendable (LocationRequest) -> [ScriptStep]
    ) where C.Duration == Duration {
        self.init(clock, start) { _, request in script(request) }
    }

    private init<C: Clock>(
        _ clock: C, _ start: Timestamp, script: @escaping @Sendable (Int, LocationRequest) -> [ScriptStep]
    ) where C.Duration == Duration {
        self.script = script
        self.clock = SessionClock(clock, startingAt: start)
        manual = clock as? ManualClock
        makeClock = { SessionClock(clock, startingAt: $0) }
    }

    deinit {
        for task in content.value.tasks.values { task.cancel() }
    }

    // MARK: Calls

    /// The calls received so far, in order.
    public var calls: [SourceCall] { content.value.calls }

    /// The number of running sessions.
    public var runningSessions: Int { content.value.sessions.count }

    /// Whether the script of no running session has work before the clock advances.
    package var isWaiting: Bool { content.value.sessions.values.allSatisfy(\.isScriptIdle) }

    /// Sentences about what the sessions wait for, for a test whose wait has timed out.
    var notes: [String] {
        Set(
            content.value.sessions.values.compactMap { session in
                if manual == nil, let wait = session.scriptWait {
                    return "the script waits for \(wait) on a clock of real time: give the source a `ManualClock`"
                }
                return session.activity.openText
            }
        ).sorted()
    }

    /// Waits until `count` sessions run, for at most `limit`.
    public func untilRunning(
        _ count: Int = 1, within limit: Duration = .seconds(10), fileID: String = #fileID, line: Int = #line
    ) async throws(ExpectationFailure) {
        let name = "\(count) running sessions of the scripted source"
        try await wait(for: name, within: limit, CallSite(fileID: fileID, line: line)) { $0.sessions.count == count }
    }

    /// Waits until the source has received a call, for at most `limit`.
    public func untilCalled(
        _ call: SourceCall, within limit: Duration = .seconds(10), fileID: String = #fileID, line: Int = #line
    ) async throws(ExpectationFailure) {
        let name = "the call \(call) of the scripted source"
        try await wait(for: name, within: limit, CallSite(fileID: fileID, line: line)) { $0.calls.contains(call) }
    }

    /// Waits until the source has received a call that a closure accepts, for at most `limit`, and returns the first such call.
    ///
    /// Use it to look at what a test is about, and not at the defaults of a whole request:
    ///
    /// ```swift
    /// try await source.untilCalled("a request for 20 m") { $0.request?.accuracy == 20 }
    /// ```
    ///
    /// - Parameters:
    ///   - name: A description of the call for the error.
    ///   - limit: The longest time to wait.
    ///   - fileID: The file of the call, for the error.
    ///   - line: The line of the call, for the error.
    ///   - condition: Returns whether a call is the awaited one.
    @discardableResult
    public func untilCalled(
        _ name: String = "an accepted call", within limit: Duration = .seconds(10), fileID: String = #fileID,
        line: Int = #line, where condition: @escaping @Sendable (SourceCall) -> Bool
    ) async throws(ExpectationFailure) -> SourceCall {
        try await wait(for: "\(name) of the scripted source", within: limit, CallSite(fileID: fileID, line: line)) {
            $0.calls.contains(where: condition)
        }
        // Calls are only added, so the one that ended the wait is there.
        return calls.first(where: condition) ?? .stopped
    }

    // MARK: Answers

    /// A closure that returns the position for a request.
    ///
    /// Called when a session starts, unless it asks only for authorization. The session emits a returned position, or a
    /// thrown error as a failure, before its script; `nil` emits nothing.
    public var locationToReturn: Answer? {
        get { answer.withLock { $0 } }
        set { _ = answer.withLock { exchange(&$0, with: newValue) } }
    }

    /// Returns updates whose iteration starts a session.
    public func updates(for request: LocationRequest) -> LocationUpdates {
        LocationUpdates(for: request, starting: { self.begin(request) })
    }

    // MARK: Forced events

    /// Emits a position now.
    public func forceLocation(_ location: Location) { emit(.location(location)) }

    /// Emits a position dated now at a latitude and a longitude in degrees.
    public func forceLocation(_ latitude: Double, _ longitude: Double, accuracy: Double = 5) {
        let coordinate = Coordinate(latitude: latitude, longitude: longitude)
        forceLocation(Location(coordinate: coordinate, horizontalAccuracy: accuracy).dated(clock.now))
    }

    /// Emits a failure now; the session continues.
    public func forceError(_ error: LocationError) { emit(.failure(error)) }

    /// Emits a search and its reason now.
    public func forceSearching(_ reason: SearchReason, device: String? = nil) {
        emit(.searching(reason, device: device))
    }

    /// Emits the satellites now.
    public func forceSatellites(_ sky: SkyView) { emit(.satellites(sky)) }

    /// Emits an event now.
    public func forceEvent(_ event: LocationEvent) { emit(event) }

    /// Emits an authorization status now, and at the start of each later session that asks for it, before its script.
    ///
    /// As from a live source, `.denied` is followed by the failure `.denied`, and both are emitted at the start of
    /// every later session. After `.notDetermined`, a session that asks is answered only by its script.
    public func forceAuthorization(_ status: AuthorizationStatus) {
        let sessions = content.change { content in
            content.authorization = status
            return Array(content.sessions.values)
        }
        for session in sessions {
            for event in ScriptedSourceSession.events(of: status) { session.put(event) }
        }
    }

    /// Emits a failure after a delay on the source's clock; a negative one counts as zero.
    public func forceDelayedError(_ error: LocationError, after delay: Duration) {
        let due = clock.now.advanced(by: max(.zero, delay))
        later { [weak self, clock] in
            try await clock.sleep(until: due)
            self?.emit(.failure(error), due: due)
        }
    }

    /// Emits the failure `locationUnknown` of CoreLocation after a delay on the source's clock.
    public func forceDelayedErrorLocationUnknown(after delay: Duration = .seconds(1)) {
        forceDelayedError(.locationUnknown, after: delay)
    }

    /// Emits the positions of a random walk, each after a random delay; a negative time or number counts as zero.
    ///
    /// Steps are between 0.7 m and 2.1 m long, and delays between half and one and a half times as long as the given ones. For a walk at
    /// equal intervals, script a `ScriptStep.randomWalk`.
    ///
    /// - Parameters:
    ///   - delay: The mean time until the first position.
    ///   - interval: The mean time between two positions.
    ///   - times: The number of positions.
    ///   - seed: The seed of the walk and of the delays; the same seed gives the same positions at the same times.
    ///   - start: The start of the walk. The first position is one step away.
    public func forceRandomDelayedLocations(
        after delay: Duration = .seconds(1), every interval: Duration = .seconds(1), times: Int, seed: UInt64,
        from start: Coordinate = Coordinate(latitude: 52.5163, longitude: 13.3777)
    ) {
        let interval = max(.zero, interval)
        // Numbers of their own, so that the walk of a seed is that of a script.
        var random = SplitMix64(seed: seed, stream: 1)
        let first = clock.now.advanced(by: max(.zero, delay) * (0.5 + random.unit()))
        let walk = RandomWalk(from: start, every: interval, seed: seed).prefix(max(0, times))
        later { [weak self, clock, random] in
            var (random, due, factor) = (random, first, 1.0)
            for var location in walk {
                // The speed is that at which the receiver has made the step.
                location.speed = location.speed.map { $0 / factor }
                try await clock.sleep(until: due)
                self?.emit(.location(location.dated(due)), due: due)
                factor = 0.5 + random.unit()
                due = due.advanced(by: interval * factor)
            }
        }
    }

    /// Ends all running sessions, with an error if one is given; if none runs, the next session ends after its kept
    /// events.
    public func end(throwing error: LocationError? = nil) {
        let ending = error.map { ScriptedSourceSession.Ending.throwing($0) } ?? .quietly
        let sessions = content.change { content in
            if content.sessions.isEmpty { content.keptEnding = ending }
            defer { content.sessions = [:] }
            return Array(content.sessions.values)
        }
        for session in sessions { session.finish(ending) }
    }

    // MARK: Implementation

    private func begin(_ request: LocationRequest) -> any LocationSession {
        let answer = request.purpose == .authorization ? nil : event(for: request)
        let start = clock.now
        let session = ScriptedSourceSession(
            clock: makeClock(start.wall), of: clock, on: manual, beganAt: start,
            includesLines: request.includesLines)
        let number = content.change { content in
            content.lastSession += 1
            return content.lastSession
        }
        let script = script(number, request)
        let ending = content.change { content in
            content.calls.append(SourceCall(request))
            let isAsked = request.purpose == .authorization
            switch content.authorization {
            case nil where isAsked && !script.contains(where: \.answersAuthorization):
                session.put(.authorization(.authorized))
            case .denied?: for event in ScriptedSourceSession.events(of: .denied) { session.put(event) }
            case .authorized? where isAsked: session.put(.authorization(.authorized))
            default: break
            }
            for event in content.kept { session.put(event) }
            if let answer { session.put(answer) }
            content.kept = []
            content.sessions[number] = session
            defer { content.keptEnding = nil }
            return content.keptEnding
        }
        let player = Task { [weak self, manual] in
            let ending = ending == nil ? await session.play(script) : ending
            if let ending { self?.finish(number, session, ending) }
            session.scriptHasEnded()
            manual?.leave()
        }
        session.mailbox.onStop { [weak self] in
            player.cancel()
            self?.forget(number)
        }
        return session
    }

    private func event(for request: LocationRequest) -> LocationEvent? {
        do throws(LocationError) {
            return try locationToReturn?(request).map { .location($0) }
        } catch {
            return .failure(error)
        }
    }

    private func finish(_ number: Int, _ session: ScriptedSourceSession, _ ending: ScriptedSourceSession.Ending) {
        content.change { $0.sessions[number] = nil }
        session.finish(ending)
    }

    private func forget(_ number: Int) {
        content.change { content in
            content.sessions[number] = nil
            content.calls.append(.stopped)
        }
    }

    private func emit(_ event: LocationEvent, due: Moment? = nil) {
        // Emit outside the lock: resuming a task waits for its cancellation handlers, which take the lock.
        let sessions = content.change { content in
            if content.sessions.isEmpty { content.kept.append(event) }
            return Array(content.sessions.values)
        }
        for session in sessions { session.put(event, due: due) }
    }

    private func later(_ action: @escaping @Sendable () async throws -> Void) {
        content.change { content in
            content.lastTask += 1
            let number = content.lastTask
            content.tasks[number] = Task { [weak self] in
                try? await action()
                self?.manual?.leave()
                self?.content.change { $0.tasks[number] = nil }
            }
        }
    }

    private func wait(
        for name: String, within limit: Duration, _ callSite: CallSite,
        until condition: @escaping @Sendable (ScriptedSourceContent) -> Bool
    ) async throws(ExpectationFailure) {
        try await content.wait(
            for: name, within: limit, at: callSite, nothing: "the source received no calls", until: condition
        ) { $0.calls.map { "\($0)" } }
    }
}
