import LocwatchPlatform

/// A response to a web client.
struct WebResponse {
    enum Body {
        /// Bytes that are a part of the program.
        case constant(UnsafeBufferPointer<UInt8>)
        case bytes([UInt8])
        /// A text of any size, which is not made if there is no room for the size that it has at least.
        case text(atLeast: Int = 0, () -> [UInt8])
        /// The events after the one that the reader has received, if any, and those to come.
        case events(after: String?)
    }

    /// The media type of a line of text.
    static let plainText = "text/plain; charset=utf-8"

    var status: Int
    /// The media type of the body; that of the path if it is not set.
    var mediaType: String?
    var headers: [(name: String, value: String)]
    var body: Body

    init(_ body: Body, _ headers: [(name: String, value: String)] = [], status: Int = 200) {
        (self.status, self.body, self.headers) = (status, body, headers)
    }

    /// Returns the response to a request for which there is no room at the moment.
    static func busy(_ line: String) -> WebResponse {
        text(503, line, [("Retry-After", "30"), ("Cache-Control", "no-store")])
    }

    static func text(
        _ status: Int, _ line: String, _ headers: [(name: String, value: String)] = []
    ) -> WebResponse {
        var response = WebResponse(.bytes(Array("\(line)\n".utf8)), headers, status: status)
        response.mediaType = plainText
        return response
    }
}

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
