import LocationCore

/// The way in which a kind of HTTP server takes records: the address and the body of a request, and the meaning of an answer.
///
/// A kind of server is a scheme with one of these values, and decides nothing about connections, attempts or the queue.
package struct HTTPTarget: Sendable {
    /// The address and the body of a request.
    typealias Content = (url: HTTPURL, body: [UInt8])

    private let method: HTTPMethod
    private let headers: HTTPHeaders
    /// The largest number of records in a request.
    package let batchSize: Int
    /// The order of records after an outage: the newest first where each has its place by its time, such as in a database.
    package let backlog: BacklogOrder
    /// A hint for a person whose server has answered a request without a position, if any.
    package let advice: String?
    /// The filter of positions for a server that knows times in whole seconds only.
    private var seconds: OnePerSecond?
    private let isIncluded: @Sendable (PublishRecord) -> Bool
    private let content: @Sendable ([PublishRecord]) -> Content?
    private let judgement: @Sendable (HTTPResponse) -> DeliveryVerdict

    /// Creates a kind of server.
    ///
    /// - Parameters:
    ///   - isOncePerSecond: Whether the server gets only one position of each second.
    ///   - includes: Returns whether a request for several records contains one.
    ///   - verdict: Returns what a response means for the records of its request.
    ///   - content: Returns the address and the body for records, of which there is one unless the server takes batches, or
    ///     `nil` if there is nothing to send for them.
    init(
        _ method: HTTPMethod = .post, headers: HTTPHeaders, batchSize: Int = 1, backlog: BacklogOrder = .ordered,
        advice: String? = nil, isOncePerSecond: Bool = false,
        includes: @escaping @Sendable (PublishRecord) -> Bool = { _ in true },
        verdict: @escaping @Sendable (HTTPResponse) -> DeliveryVerdict = { .ofStatus($0) },
        content: @escaping @Sendable ([PublishRecord]) -> Content?
    ) {
        self.method = method
        self.headers = headers
        self.batchSize = batchSize
        self.backlog = backlog
        self.advice = advice
        seconds = isOncePerSecond ? OnePerSecond() : nil
        isIncluded = includes
        judgement = verdict
        self.content = content
    }

    /// Returns whether a request for several records contains one.
    package func includes(_ record: PublishRecord) -> Bool { isIncluded(record) }

    /// Returns whether a record is sent after those that were admitted before; the same record is admitted again, because it may
    /// have to be sent twice.
    package mutating func admits(_ record: PublishRecord) -> Bool {
        guard includes(record) else { return false }
        return !record.isPosition || seconds?.admits(record, isOld: false) ?? true
    }

    /// Returns the request for the first of the records that can be sent, or for all of them if the server takes batches; `nil`
    /// if there is nothing to send.
    ///
    /// The same records give their request again.
    package func request(for records: [PublishRecord]) -> HTTPRequest? {
        if batchSize > 1 { return request(records.filter(includes)) }
        for record in records where includes(record) {
            if let request = request([record]) { return request }
        }
        return nil
    }

    private func request(_ records: [PublishRecord]) -> HTTPRequest? {
        content(records).map { HTTPRequest(method, $0.url, headers: headers, body: $0.body) }
    }

    /// Returns what a response means for the records of its request.
    package func verdict(on response: HTTPResponse) -> DeliveryVerdict { judgement(response) }
}
