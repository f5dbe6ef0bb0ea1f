import LocationCore
import LocationTesting
import LocwatchSupport
import Synchronization

/// A correct provider except for one deliberate fault.
final class BrokenProvider: LocationProvider {
    enum Fault: CaseIterable {
        case none, ignoresCancellation, goesOnAfterEnd, goesBackInTime, startsEagerly, sharesItsSession
        case keepsSessionWhenDropped, keepsSessionWhenCancelled, endsInsteadOfThrowing, throwsInsteadOfEnding
        case tellsNothing, stopsAllTogether, throwsWhenCancelled, ignoresAuthorization
        case startsInATask, measuresInRealTime
    }

    private let fault: Fault
    let clock = ManualClock()
    private let sessions = Lock<[ObjectIdentifier: BrokenSession]>([:])
    private let told = Atomic(0)
    private let newest = Lock<BrokenSession?>(nil)

    init(_ fault: Fault) { self.fault = fault }

    func updates(for request: LocationRequest) -> LocationUpdates {
        if fault == .startsEagerly {
            let session = begin()
            return LocationUpdates(for: request, starting: { session })
        }
        if fault == .startsInATask {
            let session = Task {
                try? await Task.sleep(for: .milliseconds(1))
                return self.begin()
            }
            return LocationUpdates(for: request, starting: { LateSession(session) })
        }
        if fault == .ignoresAuthorization, request.purpose == .authorization {
            return LocationUpdates(for: request, starting: { BrokenSession(.none, self.clock) })
        }
        return LocationUpdates(for: request, starting: { self.begin() })
    }

    var runningSessions: Int { sessions.withLock { $0.count } }

    func emit() {
        let count = told.add(1, ordering: .relaxed).newValue
        if fault == .tellsNothing { return }
        let elapsed = Duration.seconds(fault == .goesBackInTime && count == 3 ? 1 : count)
        let moment = Moment(elapsed: elapsed, wall: .testEpoch.advanced(by: elapsed))
        for session in running { session.mailbox.put(.location(Sample.here), at: moment) }
    }

    func end() {
        if fault != .goesOnAfterEnd { finish(throwing: fault == .throwsInsteadOfEnding ? Sample.lost : nil) }
    }

    func fail() -> LocationError {
        finish(throwing: fault == .endsInsteadOfThrowing ? nil : Sample.lost)
        return Sample.lost
    }

    private var running: [BrokenSession] { sessions.withLock { Array($0.values) } }

    private func finish(throwing error: LocationError?) {
        for session in running { session.mailbox.finish(throwing: error) }
    }

    private func begin() -> BrokenSession {
        let (session, isOld) = newest.withLock { newest in
            if fault == .sharesItsSession, let newest { return (newest, true) }
            let session = BrokenSession(fault, clock)
            newest = session
            return (session, false)
        }
        if isOld { return session }
        let key = ObjectIdentifier(session)
        sessions.withLock { $0[key] = session }
        session.mailbox.onStop { [weak self, fault] in
            if fault == .keepsSessionWhenCancelled || fault == .keepsSessionWhenDropped { return }
            let ended = self?.sessions.withLock { sessions -> [BrokenSession] in
                let ended = fault == .stopsAllTogether ? Array(sessions.values) : []
                sessions[key] = nil
                if fault == .stopsAllTogether { sessions = [:] }
                return ended
            }
            for other in ended ?? [] { other.mailbox.finish() }
        }
        return session
    }
}

final class BrokenSession: LocationSession {
    let mailbox: LocationMailbox
    private let fault: BrokenProvider.Fault
    private let isTaken = Atomic(false)

    init(_ fault: BrokenProvider.Fault, _ clock: ManualClock) {
        self.fault = fault
        mailbox = LocationMailbox(
            clock: fault == .measuresInRealTime
                ? SessionClock(ContinuousClock(), startingAt: .testEpoch) : clock.sessionClock())
    }

    var now: Moment { mailbox.now }

    func next(until deadline: Moment?) async throws(LocationError) -> SessionStep {
        switch fault {
        case .ignoresCancellation:
            // An unstructured task does not inherit the cancellation of the task that waits for it.
            return try await Task { [mailbox] () -> SessionAnswer in
                do throws(LocationError) { return .success(try await mailbox.next(until: deadline)) } catch {
                    return .failure(error)
                }
            }.value.get()
        case .throwsWhenCancelled:
            let step = try await mailbox.next(until: deadline)
            if Task.isCancelled { throw .cancelled }
            return step
        case .sharesItsSession:
            // A mailbox serves one task at a time, so the second one receives nothing until it is cancelled.
            if isTaken.exchange(true, ordering: .relaxed) {
                try? await ManualClock().sleep(for: .seconds(1))
                return .end
            }
            defer { isTaken.store(false, ordering: .relaxed) }
            return try await mailbox.next(until: deadline)
        default: return try await mailbox.next(until: deadline)
        }
    }

    func take() throws(LocationError) -> SessionStep? { try mailbox.take() }

    func ask(until deadline: Moment?, _ answer: @escaping @Sendable (SessionAnswer) -> Void) {
        mailbox.ask(until: deadline, answer)
    }

    func wake() { mailbox.wake() }

    func stop() { mailbox.stop() }
}

/// A session that a provider opens in a task of its own, before it is iterated.
private final class LateSession: LocationSession {
    private let session: Task<BrokenSession, Never>

    init(_ session: Task<BrokenSession, Never>) { self.session = session }

    var now: Moment { Moment(elapsed: .zero, wall: .testEpoch) }

    func next(until deadline: Moment?) async throws(LocationError) -> SessionStep {
        try await session.value.next(until: deadline)
    }

    func take() throws(LocationError) -> SessionStep? { nil }

    func ask(until deadline: Moment?, _ answer: @escaping @Sendable (SessionAnswer) -> Void) {
        Task { await session.value.ask(until: deadline, answer) }
    }

    func wake() {}

    func stop() { Task { await session.value.stop() } }
}
