import LocationCore
import GPSDProtocol
import LocationGPSD
import LocationTesting
import LocwatchPlatform
import LocwatchPrinting
import LocwatchSupport

@testable import LocwatchArguments
@testable import LocwatchSession
@testable import LocwatchTerminal

/// A source whose time advances by its script, without waiting.
final class SteppedSource: Source {
    enum Step {
        /// Emits events in a single step, with a gap after each.
        case emit([LocationEvent], gap: Duration = .zero)
        case pass(Duration)
        case fail(LocationError, after: [LocationEvent] = [])
    }

    private var steps: ArraySlice<Step>
    private(set) var now = ScriptedSession.moment(0)
    private(set) var hasStopped = false
    let descriptor: Int32 = -1
    var realTime: Duration?
    /// The time that passes during the next wait, as if the program were stopped.
    var pause: Duration?

    init(_ steps: [Step]) { self.steps = steps[...] }

    func timeLeft(until deadline: Moment?) -> Duration? {
        if let pause { now = now.advanced(by: pause) }
        pause = nil
        return .zero
    }

    func stop() { hasStopped = true }

    func turn(isReady: Bool, into updates: inout ReusedQueue<LocationUpdate>) throws(LocationError) -> Bool {
        switch steps.popFirst() {
        case .emit(let events, let gap):
            for event in events {
                updates.append(LocationUpdate(event, at: now))
                now = now.advanced(by: gap)
            }
        case .pass(let duration): now = now.advanced(by: duration)
        case .fail(let error, let events):
            for event in events { updates.append(LocationUpdate(event, at: now)) }
            throw error
        case nil: return false
        }
        return true
    }
}

/// A consumer that records the updates of the loop.
final class UpdateRecorder: SessionConsumer {
    var told: [TrackedUpdate] = []
    var expired: [Moment] = []
    var flushes = 0
    var deadline: Moment?
    var answer: (TrackedUpdate) throws(OutputFailure) -> SessionEnd.Reason? = { _ in nil }
    var onExpiry: () throws(OutputFailure) -> Void = {}
    var onFlush: () throws(OutputFailure) -> Void = {}
    var isFull = false
    var refreshInterval: Duration?
    var onRefresh: () -> Void = {}
    /// Returns whether it has something left to do after the end.
    var onEnd: (Ending) -> Bool = { _ in false }
    private var hasEnded = false

    func process(_ update: TrackedUpdate, _ view: SessionView) throws(OutputFailure) -> SessionEnd.Reason? {
        told.append(update)
        return try answer(update)
    }

    func expire(at moment: Moment) throws(OutputFailure) -> SessionEnd.Reason? {
        expired.append(moment)
        deadline = nil
        try onExpiry()
        return nil
    }

    func serve(_ ready: PollSet) throws(OutputFailure) -> SessionEnd.Reason? {
        flushes += 1
        try onFlush()
        return nil
    }

    func prepare(_ wait: inout SessionWait) {
        if hasEnded { return wait.shorten(to: .milliseconds(1)) }
        onRefresh()
        wait.isFull = isFull
        wait.shorten(to: refreshInterval)
    }

    func linger(_ ending: Ending) -> Bool {
        hasEnded = true
        return onEnd(ending)
    }

    var locations: Int {
        told.count { if case .update(let update, _) = $0, case .location = update.event { true } else { false } }
    }

    var states: [LocationState] {
        told.compactMap { if case .transition(let transition) = $0 { transition.to } else { nil } }
    }
}

extension SessionLoop {
    /// Creates a loop over a scripted session.
    convenience init(
        polling session: SteppedSource, _ consumers: [any SessionConsumer],
        companions: [any SessionConsumer] = [], limits: SessionLimits = .init(),
        goal: LocationRequest? = nil, isLive: Bool = true, signals: Event? = nil,
        operator start: SessionOperator.Start? = nil
    ) throws {
        // The loop takes the session immediately, on this thread.
        nonisolated(unsafe) let session = session
        let clock = ManualClock().sessionClock()
        var updates = LocationUpdates(for: .everything) { _ in
            session
        } orThrow: {
            .system($0)
        }
        if let start { updates = updates.passed(through: start) }
        var (plan, settings) = (SessionPlan(), Settings())
        plan.consumers = consumers
        settings.limits = limits
        if let goal { plan.request = goal }
        plan.request.purpose = .once
        if !isLive { settings.source = .recording(path: "x") }
        try self.init(
            updates, plan, companions, settings: settings, clock: clock,
            signals: signals ?? Event())
    }
}
