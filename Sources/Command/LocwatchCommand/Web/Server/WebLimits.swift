/// The limits of a web server.
struct WebLimits: Sendable {
    /// The number of connections.
    var connections = 64
    /// The number of connections of one address, or 0 without a limit.
    var connectionsOfAddress: UInt32 = 0
    /// The number of readers of the events, which leaves connections for everything else.
    var readers = 48
    /// The bytes of all texts together that were made and not sent yet, from which on requests for more get status 503.
    var unsent = 3 * 1024 * 1024
    /// The seconds after which a connection that takes and sends nothing is closed.
    var idleSeconds: UInt32 = 30

    /// Returns the limits of a server that other machines can reach, or only this one.
    ///
    /// Connections of this machine have one address, also those of many clients behind a proxy or a tunnel.
    static func serving(isLoopback: Bool) -> WebLimits { WebLimits(connectionsOfAddress: isLoopback ? 0 : 16) }
}
