import LocationCore
import LocwatchPlatform
import LocwatchSupport

/// A source over a session that has none, such as that of a script or of another library.
///
/// The session is asked for one step at a time, with the loop's own deadline, so that session time stands still while the loop is
/// busy, and the clock of a test decides which comes first.
final class ReadSource: Source {
    /// The place for an answer, which another thread can give.
    private final class Exchange: Sendable {
        let answered: Event
        let answer = Lock<SessionAnswer?>(nil)

        init() throws(SystemFailure) { answered = try Event() }

        func put(_ new: SessionAnswer) {
            answer.withLock { $0 = new }
            answered.happen()
        }
    }

    private let session: any LocationSession
    private let clock: SessionClock
    private let exchange: Exchange
    private var isAsked = false
    /// The deadline of the question that was asked last.
    private var deadline: Moment?
    private var reached: Moment?
    private var hasEnded = false

    /// Creates a source over a session that has begun.
    ///
    /// - Parameter clock: The clock of the time until the first step.
    init(_ session: any LocationSession, _ clock: SessionClock) throws(SystemFailure) {
        self.session = session
        self.clock = clock
        exchange = try Exchange()
    }

    deinit { stop() }

    func stop() {
        hasEnded = true
        session.stop()
    }

    var now: Moment { reached ?? Moment(elapsed: .zero, wall: clock.now.wall) }

    var descriptor: Int32 { exchange.answered.descriptor }

    func timeLeft(until deadline: Moment?) -> Duration? {
        if !isAsked, !hasEnded {
            (isAsked, self.deadline) = (true, deadline)
            session.ask(until: deadline) { [exchange] in exchange.put($0) }
        }
        return nil
    }

    func turn(isReady: Bool, into updates: inout ReusedQueue<LocationUpdate>) throws(LocationError) -> Bool {
        guard let answer = exchange.answer.withLock({ $0.take() }) else { return !hasEnded }
        exchange.answered.clear()
        isAsked = false
        // The session's clock may be ahead of the updates that wait in it.
        switch answer {
        case .success(.update(let update)):
            reached = update.moment
            updates.append(update)
        case .success(.quiet): reached = deadline
        case .success(.woken): break
        case .success(.end), .failure:
            reached = session.now
            hasEnded = true
        }
        if case .failure(let error) = answer { throw error }
        return !hasEnded
    }
}
