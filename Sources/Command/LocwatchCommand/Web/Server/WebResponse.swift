/// A response to a web client.
struct WebResponse {
    /// The content of a response.
    enum Body {
        /// Bytes that are a part of the program.
        case constant(UnsafeBufferPointer<UInt8>)
        case bytes([UInt8])
        /// A text of a size that is not known before its end.
        case pieces(TextPieces)
        /// The events after the one that the reader has received, if any, and those to come.
        case events(after: String?)
    }

    /// The media type of a line of text.
    static let plainText = "text/plain; charset=utf-8"

    var status: Int
    var mediaType = Self.plainText
    var headers: [(name: String, value: String)]
    var body: Body

    init(_ body: Body, _ headers: [(name: String, value: String)] = [], status: Int = 200) {
        (self.status, self.body, self.headers) = (status, body, headers)
    }

    /// The response to a request while the responses that were not taken yet have all the memory for them.
    static var busy: WebResponse {
        let line: StaticString = "too many responses were not taken yet\n"
        let bytes = UnsafeBufferPointer(start: line.utf8Start, count: line.utf8CodeUnitCount)
        return WebResponse(.constant(bytes), [("Retry-After", "30"), ("Cache-Control", "no-store")], status: 503)
    }

    /// Returns a response with a line of text.
    static func text(
        _ status: Int, _ line: String, _ headers: [(name: String, value: String)] = []
    ) -> WebResponse {
        WebResponse(.bytes(Array("\(line)\n".utf8)), headers, status: status)
    }
}
