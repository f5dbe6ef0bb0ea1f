import LocwatchPlatform

/// A request of a web client, with the headers that decide the answer.
struct WebRequest: Hashable, Sendable {
    var method = "GET"
    var path: String
    var host: String? = "localhost"
    var authorization: String?
    var cookie: String?
    /// The last event that a reader of a stream has received.
    var lastEventID: String?
    /// Whether the client has an encrypted connection, which ends at a proxy on this machine.
    var isEncrypted = false

    /// Returns whether a proxy says that its client has an encrypted connection; only one on this machine is believed.
    static func isEncrypted(forwarded scheme: String?, from peer: SocketAddress?) -> Bool {
        scheme?.lowercased() == "https" && peer?.isLoopback == true
    }
}
