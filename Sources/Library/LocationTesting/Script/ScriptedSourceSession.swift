import LocationCore
import LocwatchSupport

/// A running session of a scripted source; its moments follow the source's clock and never go back.
final class ScriptedSourceSession: Sendable {
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

    private enum Waiting {
        case nothing
        case time(Moment)
        /// The end of the session, which the script has left open.
        case end
    }

    init(clock: SessionClock, of source: SessionClock, beganAt start: Moment, includesLines: Bool = false) {
        self.source = source
        self.includesLines = includesLines
        // Unbounded, so that no event is dropped when a test reads late.
        mailbox = LocationMailbox(clock: clock, capacity: .max)
        self.start = start
        last = Lock(clock.now)
        clock.stepped?.add(self)
    }

    /// Puts an event into the mailbox, dated with a moment of the source's clock or now.
    func put(_ event: LocationEvent, due: Moment? = nil) {
        last.withLock { last in
            let now = mailbox.clock.now
            let wanted = due.map { now.advanced(by: $0.elapsed - start.elapsed - now.elapsed) } ?? now
            last = max(wanted, last)
            mailbox.put(event, at: last)
        }
    }

    func finish(_ ending: Ending) {
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
            case .attacked(let receiver):
                for second in 0..<receiver.seconds {
                    due = due.advanced(by: .seconds(1))
                    guard await sleep(until: due) else { return nil }
                    for event in receiver.events(at: second, wall: due.wall) { put(event, due: due) }
                }
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
                } catch { return .throwing(error) }
            case .hang: return nil
            case .end: return .quietly
            case .endThrowing(let error): return .throwing(error)
            default: for event in step.events { put(event, due: due) }
            }
        }
        return nil
    }

    func scriptHasEnded() { waiting.withLock { $0.event = .end } }

    /// Returns the activity of the script at a moment of the source's clock.
    func activity(at now: Moment) -> SessionActivity {
        let (event, count) = waiting.withLock { $0 }
        return switch event {
        case .nothing: SessionActivity(waits: count, isIdle: false)
        case .time(let due): SessionActivity(waits: count, isIdle: true, limit: now.duration(to: due))
        case .end: SessionActivity(waits: count, isIdle: true)
        }
    }

    private func sleep(until due: Moment) async -> Bool {
        waiting.withLock { $0 = (.time(due), $0.count + 1) }
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

extension ScriptedSourceSession: SteppedSession {
    var activity: SessionActivity { activity(at: source.now) }
}

extension ScriptStep {
    /// Whether the step answers a session that asks for the authorization.
    var answersAuthorization: Bool {
        switch self {
        case .authorization, .error(.denied): true
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
        case .device(let status): [.device(status)]
        case .authorization(let status): ScriptedSourceSession.events(of: status)
        case .clock(let sample): [.clock(sample)]
        case .notice(let notice): [.notice(notice)]
        case .wait, .place, .randomWalk, .attacked, .play, .hang, .end, .endThrowing: []
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
