public import LocationCore

/// OwnTracks over HTTP: one message in each request, for the Recorder, Traccar, Dawarich and others.
public struct OwnTracksHTTPTarget: HTTPTarget {
    private let message: OwnTracksMessage
    private let url: HTTPURL
    private let headers: HTTPHeaders
    private let started: Timestamp
    private let session = OwnTracksSession()

    /// Creates a target for a device.
    ///
    /// - Parameters:
    ///   - url: The address of the server.
    ///   - user: The user to whom the device belongs.
    ///   - device: The name of the device.
    ///   - trackerID: Two characters that a map shows, by default the last ones of the device's name.
    ///   - headers: Further headers, such as an authorization.
    ///   - started: The time at which the fences were set up, which transitions contain.
    public init(
        _ url: HTTPURL, user: String, device: String, trackerID: String? = nil, headers: HTTPHeaders = HTTPHeaders(),
        started: Timestamp
    ) throws(HTTPError) {
        message = OwnTracksMessage(user: user, device: device, trackerID: trackerID)
        self.url = url
        self.started = started
        var headers = headers
        try headers.set("Content-Type", "application/json")
        try headers.set("X-Limit-U", user)
        try headers.set("X-Limit-D", device)
        self.headers = headers
    }

    /// The order in which the target takes records after an outage.
    public var backlog: BacklogOrder { .ordered }

    /// Returns the request for records, or `nil` if there is nothing to send for them.
    public func request(for records: [PublishRecord]) -> HTTPRequest? {
        guard let record = records.first else { return nil }
        let body: [UInt8]?
        if case .fence(let kind, let name) = record.occasion {
            body =
                session.admits(kind, name, at: record.created)
                ? message.transition(record, created: started, topic: message.topic + "/event") : nil
        } else {
            body = session.isNew(record) ? message.location(record, topic: message.topic) : nil
        }
        return body.map { HTTPRequest(.post, url, headers: headers, body: $0) }
    }

    /// Returns what a response means for the records of its request.
    public func verdict(on response: HTTPResponse) -> DeliveryVerdict {
        if response.status == 400 {
            return .refused(
                cause: "the server does not know the device; in Traccar, add a device with the identifier "
                    + "\(message.topic)")
        }
        return .ofStatus(response)
    }
}
