/// The limits of a web server.
struct WebLimits: Sendable {
    /// The number of connections, of which `streams` can be readers of the events.
    var connections = 1100
    var streams = 1024
    /// The number of descriptors for the connections and for everything else.
    var descriptors: Int { connections + 400 }
    /// The bytes of all responses together that were made and not sent yet, beyond which requests get status 503.
    var unsent = 6 * 1024 * 1024
    /// The seconds after which a connection that takes and sends nothing is closed.
    var idleSeconds: UInt32 = 30
    /// The time for the headers of a request, and between two requests.
    var requestTime = Duration.seconds(30)
    /// The time for taking a response, other than that with the events.
    var responseTime = Duration.seconds(600)
}
