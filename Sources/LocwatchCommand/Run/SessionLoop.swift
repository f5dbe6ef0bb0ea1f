import Glibc
import LocationCore
import Platform

/// What a command does with a session, as the loop runs it.
protocol SessionHandler: AnyObject {
    /// Takes an event or a change of state; an answer ends the session.
    func take(_ update: TrackedUpdate) throws(OutputFailure) -> SessionEnd.Reason?
    /// When time alone brings something about, such as a stay in a fence.
    var deadline: Moment? { get }
    /// Does what is due.
    func expire(at moment: Moment) throws(OutputFailure)
    /// Writes what has been gathered.
    func flush() throws(OutputFailure)
    /// The descriptor of a reader that has not taken everything yet; −1 where there is none.
    var pendingOutput: Int32 { get }
    /// Whether the session ends when nobody reads standard output any more.
    var isForReader: Bool { get }
}

extension SessionHandler {
    var isForReader: Bool { true }
}

/// How a session ended.
enum SessionOutcome {
    case ended(SessionEnd.Reason)
    case signal(Int32)
    case failed(LocationError)
    case output(OutputFailure)
}

/// Runs a session on one thread: waits for the source, for time, for signals and for the reader of the output.
final class SessionLoop {
    /// When a session ends by itself, in its own time.
    struct Limits {
        /// The end, whatever has come.
        var duration: Duration?
        /// The time by which there must have been a good position.
        var timeout: Duration?
    }

    private let feed: any SessionFeed
    private let handler: any SessionHandler
    private let limits: Limits
    private let status: StatusDisplay
    private let signals: Event
    private var trackers = DeviceTrackers()
    private let start: Duration
    /// When the session ended, which may be long before the end of what the source has read already.
    private var ending: Moment?
    /// Whether a good position has come, so that the timeout does not count any more.
    var isSatisfied = false

    init(
        _ feed: any SessionFeed, _ handler: any SessionHandler, limits: Limits, status: StatusDisplay, signals: Event
    ) {
        self.feed = feed
        self.handler = handler
        self.limits = limits
        self.status = status
        self.signals = signals
        start = feed.now.elapsed
    }

    /// Where the search stands, all receivers together.
    var state: LocationState { trackers.state }

    /// What the session's clock shows.
    var now: Moment { ending ?? feed.now }

    /// How long the session has lasted, by its own time or by that for which one had to wait for it.
    var lasted: Duration { max(now.elapsed, feed.lasted ?? .zero) }

    /// How long until the source tries again after a failure.
    var retry: Duration? { feed.retry }

    /// Has the daemon asked what its receivers do, where there is one.
    func askForDevices() { feed.askForDevices() }

    /// Takes the status line off the screen, before anything else is written there.
    func wipeStatus() { status.wipe() }

    /// Runs until the session is over.
    func run() -> SessionOutcome {
        defer { feed.end() }
        do throws(OutputFailure) {
            var isReady = false
            while true {
                if let number = CaughtSignals.first { return .signal(number) }
                if let outcome = try step(isReady: isReady) {
                    try handler.flush()
                    return outcome
                }
                try handler.flush()
                if status.isShown, feed.descriptor >= 0 || feed.patience != .zero { status.show(at: now) }
                switch wait() {
                case .readerGone: throw .readerGone
                case .ready(let ready): isReady = ready
                }
            }
        } catch {
            return .output(error)
        }
    }

    private func step(isReady: Bool) throws(OutputFailure) -> SessionOutcome? {
        var outcome: SessionOutcome?
        var failure: OutputFailure?
        do throws(LocationError) {
            let goesOn = try feed.step(isReady: isReady) { update in
                guard outcome == nil, failure == nil else { return }
                do throws(OutputFailure) {
                    guard let end = try take(update) else { return }
                    outcome = end
                    ending = ending ?? update.moment
                } catch {
                    failure = error
                }
            }
            if !goesOn, outcome == nil { outcome = .ended(.ended) }
        } catch {
            for transition in feed.hasBegun ? trackers.apply(.failure(error), at: now) : [] {
                status.note(.transition(transition))
                _ = try handler.take(.transition(transition))
            }
            return .failed(error)
        }
        if let failure { throw failure }
        if let outcome { return outcome }
        return try expire()
    }

    private func take(_ update: LocationUpdate) throws(OutputFailure) -> SessionOutcome? {
        if let outcome = outcome(at: update.moment) { return outcome }
        for transition in trackers.apply(update.event, at: update.moment) {
            status.note(.transition(transition))
            if let reason = try handler.take(.transition(transition)) { return .ended(reason) }
        }
        status.note(.update(update))
        return try handler.take(.update(update)).map { .ended($0) }
    }

    /// Lets time pass where the session's time goes on by itself.
    private func expire() throws(OutputFailure) -> SessionOutcome? {
        if let deadline = trackers.deadline, isDue(deadline) {
            for transition in trackers.expire(at: deadline) {
                status.note(.transition(transition))
                if let reason = try handler.take(.transition(transition)) { return .ended(reason) }
            }
        }
        if let deadline = handler.deadline, isDue(deadline) { try handler.expire(at: deadline) }
        for (limit, reason) in ends where left(until: limit).map({ $0 <= .zero }) ?? false { return .ended(reason) }
        return nil
    }

    private func outcome(at moment: Moment) -> SessionOutcome? {
        for (limit, reason) in ends where moment >= limit {
            // It is told of with what comes after it, which may be long after.
            ending = moment.advanced(by: moment.duration(to: limit))
            return .ended(reason)
        }
        return nil
    }

    /// The moments at which the session ends by itself.
    private var ends: [(Moment, SessionEnd.Reason)] {
        if limits.duration == nil, limits.timeout == nil { return [] }
        let beginning = Moment(elapsed: start, wall: feed.now.wall)
        var ends: [(Moment, SessionEnd.Reason)] = []
        if let duration = limits.duration { ends.append((beginning.advanced(by: duration), .duration)) }
        if let timeout = limits.timeout, !isSatisfied { ends.append((beginning.advanced(by: timeout), .timeout)) }
        return ends.sorted { $0.0 < $1.0 }
    }

    /// How long it really takes until a limit: by the session's time, or by that for which nothing has come.
    private func left(until limit: Moment) -> Duration? {
        let own = feed.wait(until: limit)
        guard let lasted = feed.lasted else { return own }
        let real = limit.elapsed - start - lasted
        return own.map { min($0, real) } ?? real
    }

    private func isDue(_ moment: Moment) -> Bool {
        feed.wait(until: moment).map { $0 <= .zero } ?? false
    }

    private enum Waiting {
        case ready(Bool)
        case readerGone
    }

    private func wait() -> Waiting {
        var limit: Duration?
        func shorten(to other: Duration?) {
            if let other { limit = limit.map { min($0, other) } ?? other }
        }
        if let moment = trackers.deadline { shorten(to: feed.wait(until: moment)) }
        if let moment = handler.deadline { shorten(to: feed.wait(until: moment)) }
        for (moment, _) in ends { shorten(to: left(until: moment)) }
        shorten(to: feed.patience)
        shorten(to: status.patience)
        let pending = handler.pendingOutput
        // A tuple, and no array, so that waiting allocates nothing.
        var watched = (
            signals: pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0),
            feed: pollfd(fd: feed.descriptor, events: Int16(POLLIN), revents: 0),
            // Without events asked for, a pipe whose reader has gone is told of all the same.
            reader: pollfd(fd: handler.isForReader ? 1 : -1, events: Int16(pending == 1 ? POLLOUT : 0), revents: 0)
        )
        let count = withUnsafeMutableBytes(of: &watched) { bytes in
            let all = bytes.bindMemory(to: pollfd.self)
            return poll(all.baseAddress, nfds_t(all.count), limit?.wholeMilliseconds ?? -1)
        }
        if count <= 0 { return .ready(false) }
        if watched.reader.revents & Int16(POLLERR) != 0 { return .readerGone }
        return .ready(watched.feed.revents != 0)
    }
}
