import Glibc
package import LocationCore
import LocwatchArguments
import LocwatchPlatform
import LocwatchSupport
import LocwatchTerminal

/// A loop that runs a session on one thread: it waits for the source, time, signals, and the consumers' descriptors.
package final class SessionLoop {
    private let source: any Source
    private var operators: SessionOperators
    private let hasOperators: Bool
    /// The updates of the source's last turn.
    private var updates = ReusedQueue<LocationUpdate>()
    /// The moment of the update that is being processed; a recording may have been read further.
    private var processed: Moment?
    private var interpretation: SessionInterpretation
    /// The consumers of the command, and after them its companions.
    private let consumers: [any SessionConsumer]
    private let commandCount: Int
    /// The earliest deadline of the tracker and the consumers, which is kept from one look at all of them to the next.
    private var due: Moment?
    /// The deadline of the tracker after the last update.
    private var trackerDue: Moment?
    private let ends: SessionEnds
    private let isBatch: Bool
    /// Whether the source is live: it does not wait while a consumer can take no more, as a recording does.
    private let isLive: Bool
    private let signals: Event
    private var waiting: SessionWait
    /// The receiver that a recording must have, if one was requested.
    private let requested: RequestedReceiver?
    /// The end of the session, which may be long before the end of the data that were already read.
    private var ending: Moment?
    private var finalRealTime: Duration?
    private var hasBegun = false
    /// The console whose messages wait for a slow reader of standard error, so that a live session does not.
    var console: Console?
    /// The consumer that keeps the file of metrics, if there is one.
    package internal(set) var metrics: MetricsFile?

    /// - Parameters:
    ///   - companions: The consumers that are not of the command; the first consumer that ends the session decides the reason.
    ///   - fences: The fences of the settings, if they do not begin anew.
    init(
        _ updates: LocationUpdates, _ plan: SessionPlan, _ companions: [any SessionConsumer] = [],
        fences: FenceList? = nil, settings: Settings, clock: SessionClock, signals: Event
    ) throws(SystemFailure) {
        let session = updates.start()
        source = if let makeSource = session.makeSource { makeSource() } else { try ReadSource(session, clock) }
        operators = SessionOperators(updates.operators, at: source.now)
        hasOperators = !updates.operators.isEmpty
        interpretation = SessionInterpretation(
            Tracker(
                filters: updates.filters, selection: plan.request, fences: fences ?? settings.sessionFences,
                staleAfter: settings.limits.staleAfter))
        consumers = plan.consumers + companions
        commandCount = plan.consumers.count
        ends = SessionEnds(settings.limits, timeoutIsFinal: plan.timeoutIsFinal, start: source.now.elapsed)
        isBatch = plan.isBatch
        isLive = settings.source.isLive
        requested = isLive ? nil : settings.source.device(settings).map { RequestedReceiver($0) }
        self.signals = signals
        waiting = SessionWait(at: source.now)
    }

    /// Measures the distance from now on, which begins with that of an odometer.
    func measureDistance(startingAt metres: Double) { interpretation.measureDistance(startingAt: metres) }

    /// The results of the session so far.
    package var view: SessionView { interpretation.tracker.view }

    package var now: Moment { ending ?? processed ?? source.now }

    /// The duration of the session, by its own time or by the real time for which it waited.
    package var lasted: Duration { max(now.elapsed, finalRealTime ?? source.realTime ?? .zero) }

    var bytesRead: Int { source.bytesRead }

    /// Whether a peer had accepted the connection when the session ended.
    package private(set) var wasConnected = false

    /// Runs until the session has ended and its consumers have no work left.
    package func run() -> Ending {
        let outcome = runSession()
        return linger(after: outcome)
    }

    private func runSession() -> SessionOutcome {
        console?.beginLiveSession()
        defer {
            console?.endLiveSession()
            wasConnected = source.isConnected
            finalRealTime = source.realTime
            source.stop()
            operators.end()
        }
        do throws(OutputFailure) {
            for consumer in consumers { try consumer.begin(self) }
            waiting.hasInput = true
            for consumer in consumers { consumer.prepare(&waiting) }
            askForDeadlines()
            var isReady = false
            while true {
                if let number = CaughtSignals.first {
                    // A position that is held back arrived before the signal.
                    interpretation.tracker.expire(at: now)
                    _ = try handOn()
                    return .signal(number)
                }
                let isPaused = !isLive && waiting.isFull
                let outcome = isPaused ? try expire() : try turn(isReady: isReady)
                // The session is up to date before a consumer answers a peer, who may have waited while the program was
                // stopped.
                let ready = waiting.descriptors
                let requested = try each { (consumer) throws(OutputFailure) in try consumer.serve(ready) }
                console?.flushMessages()
                if let outcome { return checked(outcome) }
                if let requested { return .ended(requested) }
                isReady = wait(isPaused: isPaused) || isPaused && isReady
            }
        } catch {
            return .output(error)
        }
    }

    /// Lets the consumers work until none has anything left to do.
    private func linger(after outcome: SessionOutcome) -> Ending {
        var ending = Ending(outcome, at: now, shortfall: view.shortfall(after: lasted), absence: absence)
        while true {
            ending.commandIsBusy = lingers(consumers.prefix(commandCount), after: ending)
            let hasCompany = lingers(consumers.dropFirst(commandCount), after: ending)
            guard ending.commandIsBusy || hasCompany else { return ending }
            waiting = SessionWait(at: now)
            waiting.outputHasFailed = ending.hasFailedOutput
            if !ending.isSignal { waiting.add(signals.descriptor, POLLIN) }
            for consumer in consumers { consumer.prepare(&waiting) }
            waiting.wait()
            if !ending.isSignal {
                if let number = CaughtSignals.first {
                    ending.outcome = .signal(number)
                } else if waiting.descriptors.isReady(signals.descriptor) {
                    // Another thread may have asked for the attention of the session, which is over.
                    signals.clear()
                }
            }
            for consumer in consumers {
                do throws(OutputFailure) { _ = try consumer.serve(waiting.descriptors) } catch {
                    if !ending.hasFailedOutput { ending.outcome = .output(error) }
                }
            }
        }
    }

    /// Lets each of some consumers work on; returns whether one has something left to do.
    private func lingers(_ consumers: ArraySlice<any SessionConsumer>, after ending: Ending) -> Bool {
        var isBusy = false
        for consumer in consumers where consumer.linger(ending) { isBusy = true }
        return isBusy
    }

    /// Calls a function of each consumer; the first one that ends the session decides the reason.
    private func each(
        _ call: (any SessionConsumer) throws(OutputFailure) -> SessionEnd.Reason?
    ) throws(OutputFailure) -> SessionEnd.Reason? {
        var reason: SessionEnd.Reason?
        for consumer in consumers {
            let answer = try call(consumer)
            reason = reason ?? answer
        }
        return reason
    }

    /// The reason why a live source told nothing, or gave no position because of a failure that is not over; otherwise `nil`.
    private var absence: LocationError? {
        guard isLive else { return nil }
        if !view.isSatisfied, let failure = view.failure { return failure.error }
        return view.hasHeard ? nil : view.shortfall(after: lasted)
    }

    /// Returns the outcome of a session, which is a failure if the recording does not have the requested receiver.
    private func checked(_ outcome: SessionOutcome) -> SessionOutcome {
        guard case .ended(let reason) = outcome, [.ended, .timeout, .duration].contains(reason),
            let failure = requested?.failure
        else { return outcome }
        return .failed(failure)
    }

    private func turn(isReady: Bool) throws(OutputFailure) -> SessionOutcome? {
        // Taken out of the loop, because each access to a property of a class is checked.
        var batch = ReusedQueue<LocationUpdate>()
        swap(&batch, &updates)
        defer { swap(&batch, &updates) }
        var turn = Result { () throws(LocationError) in try source.turn(isReady: isReady, into: &batch) }
        // The last line of a peer that hangs up may have completed the session.
        if let outcome = try process(&batch, &turn) { return outcome }
        switch turn {
        case .success(true): return try expire()
        case .success(false):
            interpretation.tracker.expire(at: now)
            if let reason = try handOn() { return .ended(reason) }
            return try expire() ?? .ended(.ended)
        case .failure(let error):
            // A file that turns out not to be a recording was never a session, so its state does not change.
            if hasBegun || !error.concernsFile { interpretation.tracker.fail(error, at: now) }
            _ = try handOn()
            return .failed(error)
        }
    }

    /// Processes the updates of a turn, until one of them completes the session, or an operator fails.
    private func process(
        _ updates: inout ReusedQueue<LocationUpdate>, _ turn: inout Result<Bool, LocationError>
    ) throws(OutputFailure) -> SessionOutcome? {
        defer { processed = nil }
        while let update = updates.popFirst() {
            processed = update.moment
            guard hasOperators else {
                if let outcome = try process(consume update) { return outcome }
                continue
            }
            // One at a time: what the operators make of an update can depend on whether the one before was admitted.
            let passed: LocationUpdate?
            do throws(LocationError) { passed = try operators.pass(update) } catch {
                turn = .failure(error)
                return nil
            }
            guard let passed else { continue }
            if let outcome = try process(passed) { return outcome }
            if interpretation.tracker.hasAdmitted { operators.admit() }
        }
        return nil
    }

    private func process(_ update: consuming LocationUpdate) throws(OutputFailure) -> SessionOutcome? {
        if hasReached(update.moment), let outcome = try serveDeadlinesAndLimits(before: update) { return outcome }
        hasBegun = true
        requested?.process(update)
        let unknown: LocationError? =
            if isBatch, case .failure(let error, _) = update.event, case .deviceUnknown = error { error } else { nil }
        var remainder = SessionInterpretation.Remainder()
        guard let first = interpretation.process(consume update, &remainder) else {
            askForDeadlines()
            return nil
        }
        trackerDue = remainder.deadline
        if let unknown {
            // The error ends the session, so that only the change of state is handed on.
            var next = first as TrackedUpdate?
            while let change = next {
                if case .update = change { break }
                _ = try hand(on: change)
                next = interpretation.next()
            }
            return .failed(unknown)
        }
        if let reason = try hand(on: first) {
            ending = ending ?? first.moment
            return .ended(reason)
        }
        return remainder.hasMore ? try handOn().map { .ended($0) } : nil
    }

    /// Returns whether a deadline or a limit may be due at a moment.
    private func hasReached(_ moment: Moment) -> Bool {
        if let due, due <= moment { return true }
        guard let end = ends.earliest else { return false }
        return end <= moment.elapsed
    }

    /// Serves what is due before an update, in its order: a recording can be read much faster than its time passes.
    private func serveDeadlinesAndLimits(before update: LocationUpdate) throws(OutputFailure) -> SessionOutcome? {
        guard let first = firstEnd?.moment, first <= update.moment else {
            return try serveDeadlines { $0 <= update.moment }
        }
        if let outcome = try serveDeadlines(while: { $0 <= first }) { return outcome }
        // A position that was due before the limit may have satisfied it.
        guard let (limit, reason) = firstEnd, limit <= update.moment else { return nil }
        // The limit is noticed only at the next update, so the session ends at the limit itself.
        let moment = update.moment.advanced(by: update.moment.duration(to: limit))
        ending = moment
        return try end(at: moment, reason)
    }

    /// Ends the session at a limit; a position that is held back arrived before it.
    private func end(at limit: Moment, _ reason: SessionEnd.Reason) throws(OutputFailure) -> SessionOutcome {
        interpretation.tracker.expire(at: limit)
        return .ended(try handOn() ?? reason)
    }

    /// Serves deadlines in their order, each once, as long as they are reached.
    private func serveDeadlines(while isReached: (Moment) -> Bool) throws(OutputFailure) -> SessionOutcome? {
        var served: Moment?
        while let due, due != served, isReached(due) {
            served = due
            if let outcome = try expire(at: due) { return outcome }
        }
        return nil
    }

    /// Asks the tracker and all consumers for their deadlines, after something could have changed them.
    private func askForDeadlines() {
        trackerDue = interpretation.tracker.deadline
        var due = trackerDue
        for consumer in consumers { due.shorten(to: consumer.deadline) }
        self.due = due
    }

    /// Hands the results of the tracker to the consumers, until one of them ends the session.
    private func handOn() throws(OutputFailure) -> SessionEnd.Reason? {
        while let next = interpretation.next() {
            guard let reason = try hand(on: next) else { continue }
            ending = ending ?? next.moment
            return reason
        }
        return nil
    }

    private func hand(on update: TrackedUpdate) throws(OutputFailure) -> SessionEnd.Reason? {
        guard case .fence(let event) = update, !event.kind.isOfStay else { return try pass(update) }
        // A first position outside changes nothing, and would be a line for each device of a fleet and each fence.
        guard event.kind == .undecided else { return nil }
        if let reason = try pass(update) { return reason }
        let warning = event.warning
        return try pass(.update(LocationUpdate(.notice(.message(warning)), at: event.moment)))
    }

    /// Passes an update on to all consumers, and asks each for its deadline; the first one that ends the session decides the reason.
    private func pass(_ update: TrackedUpdate) throws(OutputFailure) -> SessionEnd.Reason? {
        var due = trackerDue
        let reason = try Self.pass(update, seen: interpretation, to: consumers, &due)
        self.due = due
        return reason
    }

    /// Passes an update on with the view of the tracker.
    private static func pass(
        _ update: TrackedUpdate, seen interpretation: borrowing SessionInterpretation,
        to consumers: [any SessionConsumer], _ due: inout Moment?
    ) throws(OutputFailure) -> SessionEnd.Reason? {
        var reason: SessionEnd.Reason?
        for consumer in consumers {
            let answer = try consumer.process(update, interpretation.tracker.view)
            reason = reason ?? answer
            due.shorten(to: consumer.deadline)
        }
        return reason
    }

    /// Processes deadlines and limits if the session's time advances by itself.
    private func expire() throws(OutputFailure) -> SessionOutcome? {
        if let outcome = try serveDeadlines(while: { source.hasReached($0) }) { return outcome }
        guard let (limit, reason) = firstEnd else { return nil }
        if source.hasReached(limit) { return try end(at: limit, reason) }
        if let left = realTimeLeft(until: limit), left <= .zero { return try end(at: now, reason) }
        return nil
    }

    private func expire(at moment: Moment) throws(OutputFailure) -> SessionOutcome? {
        interpretation.expire(ifDueAt: moment)
        if let reason = try handOn() { return .ended(reason) }
        let requested = try each { (consumer) throws(OutputFailure) in
            guard let deadline = consumer.deadline, deadline <= moment else { return nil }
            return try consumer.expire(at: deadline)
        }
        askForDeadlines()
        guard let reason = requested else { return nil }
        ending = ending ?? moment
        return .ended(reason)
    }

    /// The first limit that ends the session, if there is one.
    private var firstEnd: (moment: Moment, reason: SessionEnd.Reason)? {
        guard ends.earliest != nil else { return nil }
        return ends.first(isSatisfied: interpretation.tracker.view.isSatisfied, wall: source.now.wall)
    }

    /// Returns the real time left until a limit, or `nil` if session time advances without input.
    private func realTimeLeft(until limit: Moment) -> Duration? {
        source.realTime.map { limit.elapsed - ends.start - $0 }
    }

    /// Waits until there is something to do; returns whether the source is readable.
    private func wait(isPaused: Bool) -> Bool {
        // The consumers were served, and some of them have a new deadline since.
        askForDeadlines()
        var deadline = due
        // Taken out of the loop, because each access to a property of a class is checked.
        let now = now
        var wait = SessionWait(at: now)
        swap(&wait, &waiting)
        wait.restart(at: now)
        if let (moment, _) = firstEnd {
            deadline.shorten(to: moment)
            wait.shorten(to: realTimeLeft(until: moment))
        }
        let descriptor = isPaused ? -1 : source.descriptor
        if !isPaused { wait.shorten(to: source.timeLeft(until: deadline)) }
        wait.hasInput = !isPaused && descriptor < 0 && wait.limit == .zero
        wait.add(signals.descriptor, POLLIN)
        wait.add(descriptor, source.waitsForWriting ? POLLIN | POLLOUT : POLLIN)
        console?.addMessages(to: &wait.descriptors)
        for consumer in consumers { consumer.prepare(&wait) }
        // A recording is read on at once when the consumers can take more again.
        if isPaused, !wait.isFull { wait.shorten(to: .zero) }
        wait.wait()
        let isReady = wait.descriptors.isReady(descriptor)
        swap(&wait, &waiting)
        return isReady
    }
}

extension FenceEvent {
    /// Returns a message that the positions are too inaccurate for a fence.
    fileprivate var warning: String {
        let device = device.map { "\($0): " } ?? ""
        return
            "\(device)no position was accurate enough for the fence \(fence) for 30 s: it needs at most twice its radius"
    }
}
