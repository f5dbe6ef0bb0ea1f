import CLocwatchPlatform

/// The signals that ask the program to end (SIGINT, SIGTERM, SIGHUP), as an event that poll(2) can wait for.
///
/// A second signal, 50 ms later or more, ends the program at once. SIGPIPE is ignored: a write fails with EPIPE instead.
public enum CaughtSignals {
    /// Makes the signals trigger an event, for the whole program and until it ends.
    public static func announce(by event: Event) {
        // The handler keeps the descriptor's number, so the event must live as long as the program.
        _ = Unmanaged.passRetained(event)
        locwatch_catch_signals(event.descriptor)
    }

    /// Makes the signals end the program at once again, for work that cannot wait for an event.
    public static func release() { locwatch_release_signals() }

    /// Makes SIGUSR1 trigger an event instead of ending the program, until the program ends.
    public static func announceUserSignal(by event: Event) {
        _ = Unmanaged.passRetained(event)
        locwatch_catch_user_signal(event.descriptor)
    }

    /// The first signal that arrived, if any.
    public static var first: Int32? {
        let number = locwatch_caught_signal()
        return number == 0 ? nil : number
    }

    /// Ends the program by a signal, so that its parent sees the cause.
    public static func die(of number: Int32) {
        locwatch_die_of_signal(number)
    }
}
