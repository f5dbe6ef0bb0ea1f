import LocationCore
import LocwatchPlatform
import LocwatchSupport

/// A session of a provider without a descriptor, for a poll loop: a task waits for its updates and wakes the loop.
///
/// The loop requests one step at a time with its own deadline, so that session time stands still while the loop is
/// busy, and the clock of a test decides which comes first.
final class TaskSession: PolledSession {
    private typealias Answer = Result<SessionStep, LocationError>

    private struct State {
        var answer: Answer?
        var now: Moment?
        var deadline: Moment?
    }

    /// The state shared by the task and the loop.
    private final class Exchange: Sendable {
        let answered: Event
        let state = Lock(State())
        let questions: AsyncStream<Void>
        let ask: AsyncStream<Void>.Continuation

        init() throws(SystemFailure) {
            answered = try Event()
            (questions, ask) = AsyncStream.makeStream()
        }

        func put(_ answer: Answer, at now: Moment?) {
            state.withLock { state in
                state.answer = answer
                state.now = now ?? state.now
            }
            answered.happen()
        }
    }

    private let exchange: Exchange
    private let task: Task<Void, Never>
    private let clock: SessionClock
    private var isAsked = false
    private var hasEnded = false

    /// Creates a session that begins with the loop's first wait.
    ///
    /// - Parameter clock: The source of the time until the session has begun.
    init(_ updates: LocationUpdates, clock: SessionClock) throws(SystemFailure) {
        self.clock = clock
        exchange = try Exchange()
        task = Task { [exchange] in
            var iterator = updates.makeAsyncIterator()
            for await _ in exchange.questions {
                let deadline = exchange.state.withLock { $0.deadline }
                do throws(LocationError) {
                    let step = try await iterator.unfilteredStep(until: deadline)
                    // The session's clock may be ahead of the updates in its queue.
                    switch step {
                    case .update(let update): exchange.put(.success(step), at: update.moment)
                    case .quiet: exchange.put(.success(step), at: deadline)
                    case .woken: exchange.put(.success(step), at: nil)
                    case .end: exchange.put(.success(step), at: iterator.now)
                    }
                } catch {
                    exchange.put(.failure(error), at: iterator.now)
                }
            }
        }
    }

    deinit { stop() }

    func stop() {
        hasEnded = true
        exchange.ask.finish()
        task.cancel()
    }

    var now: Moment { exchange.state.withLock { $0.now } ?? Moment(elapsed: .zero, wall: clock.now.wall) }

    var descriptor: Int32 { exchange.answered.descriptor }

    func timeLeft(until deadline: Moment?) -> Duration? {
        if !isAsked, !hasEnded {
            isAsked = true
            exchange.state.withLock { $0.deadline = deadline }
            exchange.ask.yield()
        }
        return nil
    }

    func step(isReady: Bool, into updates: inout ReusedQueue<LocationUpdate>) throws(LocationError) -> Bool {
        guard let answer = exchange.state.withLock({ $0.answer.take() }) else { return !hasEnded }
        exchange.answered.clear()
        isAsked = false
        switch answer {
        case .success(.update(let update)): updates.append(update)
        case .success(.quiet), .success(.woken): break
        case .success(.end): hasEnded = true
        case .failure(let error):
            hasEnded = true
            throw error
        }
        return !hasEnded
    }
}
