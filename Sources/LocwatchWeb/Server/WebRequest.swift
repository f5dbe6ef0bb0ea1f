/// A request of a web client, with the headers that decide the answer.
struct WebRequest: Hashable, Sendable {
    var method = "GET"
    var path: String
    var host: String? = "localhost"
    var authorization: String?
    var cookie: String?
    /// The last event that a reader of a stream has received.
    var lastEventID: String?
}
