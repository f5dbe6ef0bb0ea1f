import LocationCore

/// A webhook: each record as JSON in the body of a request.
public struct WebhookTarget: HTTPTarget {
    private let url: PublishTemplate
    private let headers: HTTPHeaders

    /// Creates a target.
    ///
    /// - Parameters:
    ///   - url: The address, in which words such as `%{lat}` stand for values of the record; if it has any, the request is a
    ///     GET without a body.
    ///   - headers: Further headers, such as an authorization.
    public init(_ url: PublishTemplate, headers: HTTPHeaders = HTTPHeaders()) throws(HTTPError) {
        self.url = url
        var headers = headers
        if !url.hasWords { try headers.set("Content-Type", "application/json") }
        self.headers = headers
        // A template that makes no valid address is an error before anything is sent.
        _ = try HTTPURL(url.text(for: .example))
    }

    /// The order in which the target takes records after an outage.
    public var backlog: BacklogOrder { .ordered }

    /// Returns the request for records, or `nil` if there is nothing to send for them.
    public func request(for records: [PublishRecord]) -> HTTPRequest? {
        guard let record = records.first, let address = try? HTTPURL(url.text(for: record)) else { return nil }
        if url.hasWords {
            // An address can only say where the machine is.
            return record.location == nil || record.occasion == .lost
                ? nil : HTTPRequest(.get, address, headers: headers)
        }
        return HTTPRequest(.post, address, headers: headers, body: RecordJSON.text(record))
    }
}

extension PublishRecord {
    /// A record with a value for every word of a template.
    static var example: PublishRecord {
        var location = Location(
            coordinate: Coordinate(latitude: 0, longitude: 0), timestamp: .init(nanosecondsSince1970: 0))
        location.speed = 0
        return PublishRecord(.moved, created: .init(nanosecondsSince1970: 0), location: location)
    }
}
