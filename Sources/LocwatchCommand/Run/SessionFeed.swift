import LocationCore

/// Where the updates of a session come from, served by the program's loop on its one thread.
protocol SessionFeed: AnyObject {
    /// What to poll for reading; −1 where there is nothing.
    var descriptor: Int32 { get }
    /// How long `step` may be put off while the descriptor has nothing to read; `nil` for as long as one likes.
    var patience: Duration? { get }
    /// What the session's clock shows.
    var now: Moment { get }
    /// How long it really takes until a moment of the session; `nil` where its time does not go on by itself.
    func wait(until moment: Moment) -> Duration?
    /// How long the session has really lasted, where its own time may stand still meanwhile as nothing comes; else `nil`.
    var lasted: Duration? { get }
    /// Whether somebody has taken the connection, where there is one to take.
    var isConnected: Bool { get }
    /// Has the daemon asked what its receivers do, where there is a daemon that can be asked.
    func askForDevices()
    /// Does what is to be done now and tells what came of it; `false` when nothing will come any more.
    func step(isReady: Bool, _ tell: (LocationUpdate) -> Void) throws(LocationError) -> Bool
    /// Whether there is a session whose state can change: what turns out to be no recording never was one.
    var hasBegun: Bool { get }
    /// How long it is until the source tries again after a failure, where it does.
    var retry: Duration? { get }
    /// Lets go of what the session took hold of outside the program; nothing comes any more.
    func end()
}

extension SessionFeed {
    /// A source that does not try again.
    var retry: Duration? { nil }

    /// Nothing to let go of: the system closes what is open.
    func end() {}

    var lasted: Duration? { nil }

    var isConnected: Bool { false }

    var hasBegun: Bool { true }

    func askForDevices() {}
}
