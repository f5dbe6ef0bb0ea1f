/// The options of a provider's sessions, for callers that do not use the defaults.
package struct SessionOptions: Sendable {
    /// Whether a live session reconnects after a failure; otherwise the failure ends it.
    package var reconnects: Bool
    /// Whether an unresolvable host name ends a reconnecting session before the first connection.
    package var requiresHost = false
    /// The name of the host, if it can as well be that of a missing file.
    package var possibleFile: String?
    /// Whether satellites are listed individually; they are counted in any case.
    package var listsSatellites = true
    /// Whether the receivers are simulated; see `Location.isSimulated`.
    package var isSimulated = false
    package var timeouts = ConnectionTimeouts()
    /// The clock of every session; if `nil`, each session starts its own.
    package var clock: SessionClock?

    package init(reconnects: Bool = true) { self.reconnects = reconnects }

    /// A closure that returns the clock of a session that begins.
    package var startClock: @Sendable () -> SessionClock { { [clock] in clock ?? .system() } }

    /// Returns whether a live session continues after an error.
    package func mayRetry(after error: LocationError, hasConnected: Bool) -> Bool {
        // A retry does not help against a misspelled host.
        if case .unresolvable = error, requiresHost, !hasConnected { return false }
        return reconnects
    }

    /// Returns an error as that of a missing file if the name of a host can as well be that of one.
    package func named(_ error: LocationError) -> LocationError {
        guard case .unresolvable = error, let possibleFile else { return error }
        return .unreadable(path: possibleFile, cause: "there is no such file, and no host of that name")
    }
}
