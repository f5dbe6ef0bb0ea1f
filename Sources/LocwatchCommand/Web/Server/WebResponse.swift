/// A response to a web client.
struct WebResponse {
    /// The content of a response.
    enum Body {
        /// Text that is a part of the program.
        case constant(StaticString)
        case bytes([UInt8])
        /// The events after the one that the reader has received, if any, and those to come.
        case events(after: String?)
    }

    var status: Int
    var mediaType: String
    var headers: [(name: String, value: String)] = []
    var body: Body

    init(_ status: Int = 200, _ mediaType: String, _ body: Body, _ headers: [(name: String, value: String)] = []) {
        (self.status, self.mediaType, self.body, self.headers) = (status, mediaType, body, headers)
    }

    /// Returns a response with a line of text.
    static func text(
        _ status: Int, _ line: String, _ headers: [(name: String, value: String)] = []
    ) -> WebResponse {
        WebResponse(status, "text/plain; charset=utf-8", .bytes(Array("\(line)\n".utf8)), headers)
    }
}
