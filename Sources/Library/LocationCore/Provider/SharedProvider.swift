import LocwatchSupport

/// A provider whose requests for one position join a session that runs, so that its source is asked once.
///
/// A request that joins receives the state so far first: the current position of each receiver, or why there is none.
final class SharedProvider: LocationProvider {
    private struct Running {
        weak var session: SharedSession?
        let request: LocationRequest

        /// Returns whether the events of the session serve another request too.
        func serves(_ other: LocationRequest) -> Bool {
            guard other.device == request.device else { return false }
            return switch other.purpose {
            case .updates: false
            case .once: request.purpose != .authorization
            case .authorization: request.purpose == .authorization
            }
        }
    }

    private let base: any LocationProvider
    private let staleAfter: Duration?
    private let sessions = Lock<[Running]>([])

    /// Creates a provider over another one, whose positions are stale after a time.
    init(_ base: any LocationProvider, staleAfter: Duration?) {
        self.base = base
        self.staleAfter = staleAfter
    }

    func updates(for request: LocationRequest) -> LocationUpdates {
        let updates = base.updates(for: request)
        let (start, namesSubjects) = (updates.start, updates.namesSubjects)
        return updates.replacingSessions { [self] in
            session(for: request, namesSubjects: namesSubjects, begunBy: start)
        }
    }

    /// Returns a session that joins one that runs and serves the request, or else begins.
    private func session(
        for request: LocationRequest, namesSubjects: Bool, begunBy start: @Sendable () -> any LocationSession
    ) -> any LocationSession {
        let new = SharedSession(SubjectTrackers(staleAfter: staleAfter), namesSubjects: namesSubjects)
        let member = sessions.withLock { sessions -> (any LocationSession)? in
            sessions.removeAll { $0.session == nil }
            for running in sessions where running.serves(request) {
                if let member = running.session?.join() { return member }
            }
            sessions.append(Running(session: new, request: request))
            return nil
        }
        if let member { return member }
        let own = SharedSession.Member(new, seat: SharedSession.firstSeat)
        new.begin(start())
        return own
    }
}

/// A session of which several consumers receive every event.
///
/// The next event is taken when all of them wait for it, so none is dropped for the slowest one.
private final class SharedSession: Sendable {
    private struct Seat {
        /// The events that the consumer receives before it waits.
        var pending: [LocationUpdate]
        var deadline: Moment?
        var continuation: (@Sendable (Answer) -> Void)?
    }

    private struct Content {
        var base: (any LocationSession)?
        var trackers: SubjectTrackers
        var seats = [firstSeat: Seat(pending: [])]
        var lastSeat = firstSeat
        /// Whether a task waits for the next event.
        var isPulling = false
        /// The first deadline of the consumers when the task began to wait.
        var deadline: Moment?
        var ending: Answer?

        /// Returns the session of which the next event is to be taken, if all consumers wait for it.
        mutating func pull() -> (any LocationSession)? {
            let seats = seats.values
            guard let base, !isPulling, ending == nil, !seats.isEmpty,
                seats.allSatisfy({ $0.continuation != nil })
            else { return nil }
            isPulling = true
            deadline = seats.compactMap(\.deadline).min()
            return base
        }
    }

    typealias Answer = SessionAnswer

    /// The seat of the consumer that begins the session.
    static let firstSeat = 0

    private let namesSubjects: Bool
    private let content: Lock<Content>

    /// Creates a session with the consumer that begins it.
    init(_ trackers: SubjectTrackers, namesSubjects: Bool) {
        self.namesSubjects = namesSubjects
        content = Lock(Content(trackers: trackers))
    }

    var now: Moment { content.withLock { $0.base }?.now ?? Moment(elapsed: .zero, wall: .now) }

    /// Adds a consumer, or returns `nil` if the session has ended.
    func join() -> Member? {
        let now = now
        let seat = content.withLock { content -> Int? in
            guard content.ending == nil else { return nil }
            content.lastSeat += 1
            content.seats[content.lastSeat] = Seat(pending: content.trackers.summary(at: now))
            return content.lastSeat
        }
        return seat.map { Member(self, seat: $0) }
    }

    func begin(_ base: any LocationSession) {
        let isOver = content.withLock { content in
            content.base = base
            return content.ending != nil
        }
        if isOver { base.stop() } else { pull() }
    }

    func wait(_ seat: Int, until deadline: Moment?, _ continuation: @escaping @Sendable (Answer) -> Void) {
        let answer = content.withLock { content -> Answer? in
            guard content.seats[seat] != nil else { return .success(.end) }
            if let first = content.seats[seat]?.pending.first {
                content.seats[seat]?.pending.removeFirst()
                return .success(.update(first))
            }
            if let ending = content.ending { return ending }
            content.seats[seat]?.continuation = continuation
            content.seats[seat]?.deadline = deadline
            if content.isPulling, let deadline, content.deadline.map({ deadline < $0 }) ?? true {
                content.base?.wake()
            }
            return nil
        }
        if let answer { return continuation(answer) }
        pull()
    }

    /// Removes a consumer; the session ends with the last one.
    func leave(_ seat: Int) {
        let (left, base) = content.withLock { content -> (Seat?, (any LocationSession)?) in
            let left = content.seats.removeValue(forKey: seat)
            guard content.seats.isEmpty, left != nil else { return (left, nil) }
            content.ending = content.ending ?? .success(.end)
            return (left, content.base)
        }
        left?.continuation?(.success(.end))
        base?.stop()
        pull()
    }

    /// Takes the next event if all consumers wait for it.
    private func pull() {
        let (base, deadline) = content.withLock { ($0.pull(), $0.deadline) }
        guard let base else { return }
        Task {
            let answer: Answer
            do throws(LocationError) { answer = .success(try await base.next(until: deadline)) } catch {
                answer = .failure(error)
            }
            distribute(answer, at: base.now)
            pull()
        }
    }

    /// Passes a step on to the consumers that it concerns.
    private func distribute(_ answer: Answer, at now: Moment) {
        let waiting = content.withLock { content -> [@Sendable (Answer) -> Void] in
            content.isPulling = false
            var reached: Moment?
            switch answer {
            case .success(.update(let update)):
                let subject = namesSubjects ? update.event.device : update.subject
                _ = content.trackers.apply(update.event, at: update.moment, of: subject)
                for seat in content.seats.keys where content.seats[seat]?.continuation == nil {
                    content.seats[seat]?.pending.append(update)
                }
            case .success(.quiet):
                reached = max(now, content.deadline ?? now)
            case .success(.woken): return []
            case .success(.end), .failure: content.ending = answer
            }
            return content.seats.keys.compactMap { seat in
                if let reached, content.seats[seat]?.deadline.map({ $0 > reached }) ?? true { return nil }
                content.seats[seat]?.deadline = nil
                return content.seats[seat]?.continuation.take()
            }
        }
        for continuation in waiting { continuation(answer) }
    }

    final class Member: LocationSession {
        private let shared: SharedSession
        private let seat: Int

        fileprivate init(_ shared: SharedSession, seat: Int) {
            self.shared = shared
            self.seat = seat
        }

        deinit { stop() }

        var now: Moment { shared.now }

        func take() throws(LocationError) -> SessionStep? { nil }

        func ask(until deadline: Moment?, _ answer: @escaping @Sendable (Answer) -> Void) {
            shared.wait(seat, until: deadline, answer)
        }

        /// Does nothing, because the wait of a consumer is that of its own task, which no other one joins.
        func wake() {}

        func stop() { shared.leave(seat) }
    }
}

extension SubjectTrackers {
    /// The events from which a consumer that joins a session learns its state.
    fileprivate mutating func summary(at now: Moment) -> [LocationUpdate] {
        _ = expire(at: now)
        let devices = devices.sorted { ($0.key ?? "") < ($1.key ?? "") }
        let events = devices.compactMap { (device, state) -> LocationEvent? in
            switch state {
            case .found(var location):
                // The age of the position counts now.
                location.received = now.wall
                return .location(location)
            case .searching(.starting), .error: return nil
            case .searching(let reason): return .searching(reason, device: device)
            }
        }
        let session: LocationEvent? =
            switch state {
            case .error(let error): .failure(error)
            case .searching(.starting), .found: nil
            case .searching(let reason): events.isEmpty ? .searching(reason) : nil
            }
        return (events + [session].compactMap(\.self)).map { LocationUpdate($0, at: now) }
    }
}
