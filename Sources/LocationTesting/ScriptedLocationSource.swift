public import LocationCore
import LocwatchLock

/// A location provider that says what a test tells it to say: from a script, and by hand while it runs.
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
/// Each iteration of `updates(for:)` is a session of its own and plays the script from its beginning. When the script is
/// over the session stays open, as that of a receiver does, until `.end` or `end(throwing:)`. What is forced by hand goes
/// to all running sessions; while none runs it is kept for the next one, which tells it before its script.
public final class ScriptedLocationSource: LocationProvider {
    private struct Content: Sendable {
        var sessions: [Int: ScriptedSession] = [:]
        var lastSession = 0
        var kept: [LocationEvent] = []
        var keptEnding: ScriptedSession.Ending?
        var authorization = AuthorizationStatus.authorized
        var calls: [Call] = []
        var tasks: [Int: Task<Void, Never>] = [:]
        var lastTask = 0
    }

    private let scripts: [[Step]]
    /// Tells the time of the source; a session's clock starts when the session does.
    private let clock: SessionClock
    private let makeClock: @Sendable (Timestamp) -> SessionClock
    private let content = Watched(Content())
    private let answer = Lock<(@Sendable (LocationRequest) -> Location?)?>(nil)

    /// A source that plays a script; without steps it says only what is forced by hand.
    ///
    /// - Parameters:
    ///   - script: what each session does.
    ///   - clock: what the waits go by; give it a `ManualClock` and nothing happens before you move it.
    ///   - start: the civil time at the source's making, which goes on with the clock.
    public convenience init<C: Clock>(
        _ script: [Step] = [], clock: C = ContinuousClock(), startingAt start: Timestamp = .testEpoch
    ) where C.Duration == Duration {
        self.init(sessions: [script], clock: clock, startingAt: start)
    }

    /// A source whose first session plays the first script, the second the second, and so on; the last one is repeated.
    ///
    /// So a failure on the first attempt and a success on the second can be told apart.
    public init<C: Clock>(
        sessions scripts: [[Step]], clock: C = ContinuousClock(), startingAt start: Timestamp = .testEpoch
    ) where C.Duration == Duration {
        self.scripts = scripts
        self.clock = SessionClock(clock, startingAt: start)
        makeClock = { SessionClock(clock, startingAt: $0) }
    }

    deinit {
        for task in content.value.tasks.values { task.cancel() }
    }

    // MARK: What it was asked

    /// What was asked of the source so far, in order.
    public var calls: [Call] { content.value.calls }

    /// How many sessions run now.
    public var runningSessions: Int { content.value.sessions.count }

    /// Whether no running session has anything to do before its clock is moved on.
    package var isWaiting: Bool {
        let now = clock.now
        return content.value.sessions.values.allSatisfy { $0.isWaiting(at: now) }
    }

    /// Waits until so many sessions run, at most `limit` of real time; without a session nobody hears what is forced.
    public func untilRunning(_ count: Int = 1, within limit: Duration = .seconds(10)) async throws(WaitFailure) {
        try await wait(for: "\(count) running sessions of the scripted source", within: limit) {
            $0.sessions.count == count
        }
    }

    /// Waits until the source was asked for something, at most `limit` of real time.
    public func untilCalled(_ call: Call, within limit: Duration = .seconds(10)) async throws(WaitFailure) {
        try await wait(for: "the call \(call) of the scripted source", within: limit) { $0.calls.contains(call) }
    }

    // MARK: What it answers

    /// Where the source is for whoever asks: consulted when a session starts, unless it asks only for authorization.
    ///
    /// A position that it answers is told before the script; `nil` leaves everything to the script.
    public var locationToReturn: (@Sendable (LocationRequest) -> Location?)? {
        get { answer.withLock { $0 } }
        set { answer.withLock { $0 = newValue } }
    }

    /// Begins a session when it is iterated.
    public func updates(for request: LocationRequest) -> LocationUpdates {
        LocationUpdates(for: request) { self.begin(request) }
    }

    // MARK: By hand

    /// Tells a position now.
    public func forceLocation(_ location: Location) { tell([.location(location)]) }

    /// Tells a position of now, so many degrees north and east.
    public func forceLocation(_ latitude: Double, _ longitude: Double, accuracy: Double = 5) {
        let coordinate = Coordinate(latitude: latitude, longitude: longitude)
        forceLocation(Location(coordinate: coordinate, horizontalAccuracy: accuracy).dated(clock.now))
    }

    /// Tells a failure now; the session goes on.
    public func forceError(_ error: LocationError) { tell([.failure(error)]) }

    /// Tells now that there is no position, and why.
    public func forceSearching(_ reason: SearchReason, device: String? = nil) {
        tell([.searching(reason, device: device)])
    }

    /// Tells the satellites now.
    public func forceSatellites(_ sky: SkyView) { tell([.satellites(sky)]) }

    /// Tells any event now.
    public func forceEvent(_ event: LocationEvent) { tell([event]) }

    /// Tells now whether positions may be had, and each later session that asks for it.
    ///
    /// `.denied` is followed by the failure `.denied`, as from a live source, also at the start of each later session.
    public func forceAuthorization(_ status: AuthorizationStatus) {
        let sessions = content.change { content in
            content.authorization = status
            return Array(content.sessions.values)
        }
        for session in sessions {
            for event in ScriptedSession.events(of: status) { session.put(event) }
        }
    }

    /// Tells a failure after a while, on the source's clock.
    public func forceDelayedError(_ error: LocationError, after delay: Duration) {
        let due = clock.now.advanced(by: delay)
        later { [weak self, clock] in
            try await clock.sleep(until: due)
            self?.tell([.failure(error)], due: due)
        }
    }

    /// Tells positions of a random walk: the first after a while, then one each `interval`, so many in all.
    ///
    /// - Parameter start: where the walk begins; the first position is one step away.
    public func forceRandomDelayedLocations(
        after delay: Duration = .seconds(1), every interval: Duration = .seconds(1), times: Int, seed: UInt64,
        from start: Coordinate = Coordinate(latitude: 52.5163, longitude: 13.3777)
    ) {
        let first = clock.now.advanced(by: delay)
        let walk = RandomWalk(from: start, every: interval, seed: seed).prefix(times)
        later { [weak self, clock] in
            var due = first
            for location in walk {
                try await clock.sleep(until: due)
                self?.tell([.location(location.dated(due))], due: due)
                due = due.advanced(by: interval)
            }
        }
    }

    /// Ends all running sessions, with an error if one is given; while none runs, the next one after what was kept for it.
    public func end(throwing error: LocationError? = nil) {
        let ending = error.map { ScriptedSession.Ending.throwing($0) } ?? .quietly
        let sessions = content.change { content in
            if content.sessions.isEmpty { content.keptEnding = ending }
            defer { content.sessions = [:] }
            return Array(content.sessions.values)
        }
        for session in sessions { session.finish(ending) }
    }

    // MARK: Inside

    private func begin(_ request: LocationRequest) -> any LocationSession {
        let answer = request.purpose == .authorization ? nil : locationToReturn?(request)
        let start = clock.now
        let session = ScriptedSession(
            clock: makeClock(start.wall), beganAt: start, includesLines: request.includesLines)
        let (number, ending) = content.change { content in
            content.lastSession += 1
            content.calls.append(Call(request))
            let authorization = content.authorization
            if authorization == .denied || (request.purpose == .authorization && authorization != .notDetermined) {
                for event in ScriptedSession.events(of: authorization) { session.put(event) }
            }
            for event in content.kept { session.put(event) }
            if let answer { session.put(.location(answer)) }
            content.kept = []
            content.sessions[content.lastSession] = session
            let ending = content.keptEnding
            content.keptEnding = nil
            return (content.lastSession, ending)
        }
        let script = scripts.isEmpty ? [] : scripts[min(number, scripts.count) - 1]
        let player = Task { [weak self, clock] in
            let ending = ending == nil ? await session.play(script, on: clock, from: start) : ending
            if let ending { self?.finish(number, session, ending) } else { session.stayOpen() }
        }
        session.mailbox.onStop { [weak self] in
            player.cancel()
            self?.forget(number)
        }
        return session.mailbox
    }

    private func finish(_ number: Int, _ session: ScriptedSession, _ ending: ScriptedSession.Ending) {
        content.change { $0.sessions[number] = nil }
        session.finish(ending)
    }

    private func forget(_ number: Int) {
        content.change { content in
            content.sessions[number] = nil
            content.calls.append(.stopped)
        }
    }

    private func tell(_ events: [LocationEvent], due: Moment? = nil) {
        // Put in without the lock: waking a task waits for its cancellation handlers, and those want the lock.
        let sessions = content.change { content in
            if content.sessions.isEmpty { content.kept += events }
            return Array(content.sessions.values)
        }
        for session in sessions {
            for event in events { session.put(event, due: due) }
        }
    }

    private func later(_ action: @escaping @Sendable () async throws -> Void) {
        content.change { content in
            content.lastTask += 1
            let number = content.lastTask
            content.tasks[number] = Task { [weak self] in
                try? await action()
                self?.content.change { $0.tasks[number] = nil }
            }
        }
    }

    private func wait(
        for what: String, within limit: Duration, until condition: @escaping @Sendable (Content) -> Bool
    ) async throws(WaitFailure) {
        let outcome = await content.wait(within: limit, clock: ContinuousClock(), until: condition)
        guard outcome != .met else { return }
        let calls = content.value.calls.map { "\($0)" }
        throw WaitFailure(
            waitedFor: what, limit: limit, wasCancelled: outcome == .cancelled, happened: calls.suffix(10),
            of: calls.count, nothing: "nobody asked it for anything")
    }
}
