/// How the sessions of a provider run, for callers that need something other than the defaults.
package struct SessionOptions: Sendable {
    /// Whether a live session reconnects after a failure; if not, the failure ends it.
    package var reconnects = true
    /// Whether a host name that does not resolve ends the session although it reconnects, until the first connection.
    package var requiresHost = false
    /// Whether satellites are listed one by one; they are counted in any case.
    package var listsSatellites = true
    /// The time limits of a connection.
    package var timeouts = ConnectionTimeouts()
    /// The clock of every session; if `nil`, each session starts one of its own.
    package var clock: SessionClock?

    /// The default options.
    package init() {}
}
