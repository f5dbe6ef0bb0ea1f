/// The way in which a provider begins its sessions.
package struct SessionOpening: Sendable {
    /// Begins a session for a task, which waits for each step.
    package let begin: @Sendable () -> any LocationSession
    /// Begins the same session for a poll loop, on the thread that will use it, if the session can be polled.
    package let poll: (@Sendable () -> any PolledSession)?

    package init(
        _ begin: @escaping @Sendable () -> any LocationSession, poll: (@Sendable () -> any PolledSession)? = nil
    ) {
        self.begin = begin
        self.poll = poll
    }

    /// The same sessions, for tasks only.
    package var forTasks: SessionOpening { SessionOpening(begin) }
}
