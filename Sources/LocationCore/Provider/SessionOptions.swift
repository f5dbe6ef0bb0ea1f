/// The options of a provider's sessions, for callers that do not use the defaults.
package struct SessionOptions: Sendable {
    /// Whether a live session reconnects after a failure; otherwise the failure ends it.
    package var reconnects = true
    /// Whether an unresolvable host name ends a reconnecting session before the first connection.
    package var requiresHost = false
    /// Whether satellites are listed individually; they are counted in any case.
    package var listsSatellites = true
    /// The timeouts of a connection.
    package var timeouts = ConnectionTimeouts()
    /// The clock of every session; if `nil`, each session starts its own.
    package var clock: SessionClock?

    /// Creates the default options.
    package init() {}
}
