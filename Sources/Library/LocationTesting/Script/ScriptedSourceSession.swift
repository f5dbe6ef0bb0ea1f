import LocationCore
import LocwatchSupport

/// A running session of a scripted source; its moments follow the source's clock and never go back.
///
/// It notes what its script and its reader wait for, so that a manual clock knows when both are idle.
final class ScriptedSourceSession: LocationSession {
    enum Ending: Sendable {
        case quietly
        case throwing(LocationError)
    }

    let mailbox: LocationMailbox
    private let source: SessionClock
    /// The time of the source's clock when the session began.
    private let start: Moment
    private let last: Lock<Moment>
    private let includesLines: Bool
    /// The event that the script waits for, and the number of its waits for a time.
    private let waiting = Lock((event: Waiting.nothing, count: 0))
    /// The time until which the script has waited last.
    private let lastDue: Lock<Moment>

    private let reading = Lock(Reading())

    private enum Waiting {
        case nothing
        /// A time, and how long the script waits for it since the event before.
        case time(Moment, wait: Duration)
        /// The end of the session, which the script has left open.
        case end
    }

    private struct Reading {
        /// The number of events, with the end, that the reader has not taken.
        var unread = 0
        /// Whether the reader waits for an event, and for how long.
        var isWaiting = false
        var limit: Moment?
        /// The task that took the last event, which may sleep on the clock before it asks for the next.
        var task: Int?
        var waits = 0
        var isOver = false

        mutating func begin(until deadline: Moment?, in task: Int?) {
            (isWaiting, limit, self.task) = (true, deadline, task)
            waits += 1
        }

        mutating func end(with step: SessionStep) {
            isWaiting = false
            switch step {
            case .update: unread -= 1
            case .end: isOver = true
            case .quiet, .woken: break
            }
        }
    }

    init(
        clock: SessionClock, of source: SessionClock, on manual: ManualClock?, beganAt start: Moment,
        includesLines: Bool = false
    ) {
        self.source = source
        self.includesLines = includesLines
        // Unbounded, so that no event is dropped when a test reads late.
        mailbox = LocationMailbox(clock: clock, capacity: .max)
        self.start = start
        last = Lock(clock.now)
        lastDue = Lock(start)
        manual?.add(self)
    }

    var now: Moment { mailbox.now }

    func take() throws(LocationError) -> SessionStep? {
        let task = SessionActivity.currentTask
        do throws(LocationError) {
            guard let step = try mailbox.take() else { return nil }
            reading.withLock { reading in
                reading.begin(until: nil, in: task)
                reading.end(with: step)
            }
            return step
        } catch {
            reading.withLock { $0.isOver = true }
            throw error
        }
    }

    func ask(until deadline: Moment?, _ answer: @escaping @Sendable (SessionAnswer) -> Void) {
        let task = SessionActivity.currentTask
        reading.withLock { $0.begin(until: deadline, in: task) }
        mailbox.ask(until: deadline) { [self] step in
            reading.withLock { reading in
                switch step {
                case .success(let step): reading.end(with: step)
                case .failure: reading.isOver = true
                }
            }
            answer(step)
        }
    }

    func wake() { mailbox.wake() }

    func stop() {
        reading.withLock { $0.isOver = true }
        mailbox.stop()
    }

    /// Puts an event into the mailbox, dated with a moment of the source's clock or now.
    func put(_ event: LocationEvent, due: Moment? = nil) {
        last.withLock { last in
            let now = mailbox.clock.now
            let wanted = due.map { now.advanced(by: $0.elapsed - start.elapsed - now.elapsed) } ?? now
            last = max(wanted, last)
            reading.withLock { $0.unread += 1 }
            mailbox.put(event.simulated, at: last)
        }
    }

    func finish(_ ending: Ending) {
        reading.withLock { $0.unread += 1 }
        switch ending {
        case .quietly: mailbox.finish()
        case .throwing(let error): mailbox.finish(throwing: error)
        }
    }

    /// Plays a script.
    ///
    /// Returns how the script ends the session, or `nil` if it leaves the session open or is cancelled.
    ///
    /// An event is due after the sum of the waits before it, so its moment does not depend on how the clock is
    /// advanced.
    func play(_ script: [ScriptStep]) async -> Ending? {
        var due = start
        for step in script {
            if Task.isCancelled { return nil }
            switch step {
            case .wait(let duration):
                due = due.advanced(by: max(.zero, duration))
                guard await sleep(until: due) else { return nil }
            case .randomWalk(let place, let steps, let interval, let stride, let seed):
                let interval = max(.zero, interval)
                let walk = RandomWalk(from: place, stride: stride, every: interval, seed: seed)
                for location in walk.prefix(max(0, steps)) {
                    due = due.advanced(by: interval)
                    guard await sleep(until: due) else { return nil }
                    put(.location(location.dated(due)), due: due)
                }
            case .route(let route, let speed, let interval):
                let begin = due
                for (location, elapsed) in RouteWalk(route, speed: speed, every: interval) {
                    due = begin.advanced(by: elapsed)
                    if elapsed > .zero { guard await sleep(until: due) else { return nil } }
                    put(.location(location.dated(due)), due: due)
                }
            case .attacked(let receiver):
                for second in 0..<receiver.seconds {
                    due = due.advanced(by: .seconds(1))
                    guard await sleep(until: due) else { return nil }
                    for event in receiver.events(at: second, wall: due.wall) { put(event, due: due) }
                }
            case .failing(let error, let time, let interval):
                let end = due.advanced(by: max(.zero, time))
                repeat {
                    let rest = due.duration(to: end)
                    let pause = interval > .zero ? min(interval, rest) : rest
                    put(.failure(error, retry: pause > .zero ? pause : nil), due: due)
                    due = due.advanced(by: pause)
                    if pause > .zero { guard await sleep(until: due) else { return nil } }
                } while due < end
            case .place(let coordinate, let accuracy):
                let location = Location(coordinate: coordinate, horizontalAccuracy: accuracy)
                put(.location(location.dated(due)), due: due)
            case .play(let playback):
                let begin = due
                do throws(LocationError) {
                    var reader = try await playback.answer.open(includesLines: includesLines)
                    while let arrivals = try reader.next() {
                        for arrival in arrivals {
                            due = begin.advanced(by: arrival.due)
                            guard await sleep(until: due) else { return nil }
                            put(arrival.event, due: due)
                        }
                    }
                } catch { return Task.isCancelled ? nil : .throwing(error) }
            case .hang: return nil
            case .end: return .quietly
            case .endThrowing(let error): return .throwing(error)
            default: for event in step.events { put(event, due: due) }
            }
        }
        return nil
    }

    func scriptHasEnded() { waiting.withLock { $0.event = .end } }

    /// The whole time for which the script waits now, if it waits for a time.
    var scriptWait: Duration? {
        waiting.withLock { if case .time(_, let wait) = $0.event { wait } else { nil } }
    }

    /// Whether the script has no work before the source's clock advances.
    var isScriptIdle: Bool {
        switch activity.script {
        case .working: false
        case .sleeping(let rest): rest > .zero
        case .over: true
        }
    }

    private func sleep(until due: Moment) async -> Bool {
        let wait = lastDue.withLock { exchange(&$0, with: due) }.duration(to: due)
        waiting.withLock { $0 = (.time(due, wait: wait), $0.count + 1) }
        defer { waiting.withLock { $0.event = .nothing } }
        do throws(CancellationError) { try await source.sleep(until: due) } catch { return false }
        return true
    }

    /// Returns the events that a source emits for an authorization status.
    static func events(of status: AuthorizationStatus) -> [LocationEvent] {
        switch status {
        case .notDetermined, .authorized: [.authorization(status)]
        case .denied:
            [
                .authorization(.denied),
                .failure(.denied(what: "the scripted source", cause: "a test denies the authorization")),
            ]
        }
    }
}

extension ScriptedSourceSession: ClockedSession {
    var activity: SessionActivity {
        let ((event, count), reading) = (waiting.withLock { $0 }, reading.withLock { $0 })
        let script: SessionActivity.Script =
            switch event {
            case .nothing: .working
            case .time(let due, _): .sleeping(source.now.duration(to: due))
            case .end: .over
            }
        let reader: SessionActivity.Reader =
            if reading.isOver {
                .gone
            } else if reading.isWaiting, reading.unread == 0 {
                .waiting(limit: reading.limit.map { mailbox.now.duration(to: $0) })
            } else {
                .working(task: reading.isWaiting ? nil : reading.task)
            }
        return SessionActivity(waits: count + reading.waits, script: script, reader: reader)
    }
}

extension ScriptStep {
    /// Whether the step answers a session that asks for the authorization.
    var answersAuthorization: Bool {
        switch self {
        case .authorization, .error(.denied), .failing(.denied, _, _), .endThrowing(.denied): true
        default: false
        }
    }

    /// The events that the step emits at once.
    fileprivate var events: [LocationEvent] {
        switch self {
        case .location(let location): [.location(location)]
        case .searching(let reason, let device): [.searching(reason, device: device)]
        case .error(let error): [.failure(error)]
        case .satellites(let sky): [.satellites(sky)]
        case .attitude(let attitude): [.attitude(attitude)]
        case .device(let status): [.device(status)]
        case .authorization(let status): ScriptedSourceSession.events(of: status)
        case .clock(let sample): [.clock(sample)]
        case .notice(let notice): [.notice(notice)]
        case .wait, .failing, .place, .randomWalk, .route, .attacked, .play, .hang, .end, .endThrowing: []
        }
    }
}

extension Location {
    func dated(_ moment: Moment) -> Location {
        var location = self
        location.timestamp = moment.wall
        return location
    }
}
