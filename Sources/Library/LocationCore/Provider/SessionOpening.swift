/// A way in which a provider begins a session.
package enum SessionOpening: Sendable {
    /// For a task, which waits for each step.
    case task(@Sendable () -> any LocationSession)
    /// For a poll loop; an adapter makes the same session one for a task.
    case polled(PolledOpening)

    package func begin() -> any LocationSession {
        switch self {
        case .task(let begin): begin()
        case .polled(let start): start.adapter(start)
        }
    }
}

/// A way in which a provider begins a session that a poll loop serves.
package struct PolledOpening: Sendable {
    /// Returns the clock of a new session.
    package let clock: @Sendable () -> SessionClock
    /// Begins a session on a clock, on the thread that will use it.
    package let session: @Sendable (SessionClock) -> any PolledSession
    /// Returns a session for a task that is served in this way.
    let adapter: @Sendable (PolledOpening) -> any LocationSession

    package init(
        clock: @escaping @Sendable () -> SessionClock,
        adapter: @escaping @Sendable (PolledOpening) -> any LocationSession,
        _ session: @escaping @Sendable (SessionClock) -> any PolledSession
    ) {
        self.clock = clock
        self.adapter = adapter
        self.session = session
    }

    /// Begins a session for the caller's own loop.
    package func begin() -> any PolledSession { session(clock()) }

    /// Returns a way to begin the same sessions inside others.
    package func inside(_ wrap: @escaping @Sendable (any PolledSession) -> any PolledSession) -> PolledOpening {
        PolledOpening(clock: clock, adapter: adapter) { [session] in wrap(session($0)) }
    }
}
