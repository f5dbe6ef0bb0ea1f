import LocationCore

/// Overland: batches of GeoJSON features, for Dawarich, Home Assistant and others.
public struct OverlandTarget: HTTPTarget {
    private let url: HTTPURL
    private let device: String
    private let headers: HTTPHeaders

    /// Creates a target for a device.
    ///
    /// - Parameters:
    ///   - url: The address of the server.
    ///   - device: The name of the device.
    ///   - token: The token that the server requires, if any.
    public init(_ url: HTTPURL, device: String, token: String? = nil) throws(HTTPError) {
        self.url = url
        self.device = device
        var headers = HTTPHeaders()
        try headers.set("Content-Type", "application/json")
        if let token { try headers.setBearerAuthorization(token: token) }
        self.headers = headers
    }

    /// The order in which the target takes records after an outage.
    public var backlog: BacklogOrder { .ordered }

    /// The largest number of records in a request.
    public var batchSize: Int { 200 }

    /// Returns the request for records, or `nil` if there is nothing to send for them.
    public func request(for records: [PublishRecord]) -> HTTPRequest? {
        let features = records.compactMap(feature)
        guard !features.isEmpty else { return nil }
        var body = Array("{\"locations\":[".utf8)
        for (index, feature) in features.enumerated() {
            if index > 0 { body.append(UInt8(ascii: ",")) }
            body += feature
        }
        body += Array("]}".utf8)
        return HTTPRequest(.post, url, headers: headers, body: body)
    }

    /// Accepts only the answer that the protocol requires; another page of the server can have status 200 too.
    public func verdict(on response: HTTPResponse) -> DeliveryVerdict {
        guard response.isSuccess else { return .ofStatus(response) }
        let text = response.body.filter { ![0x20, 0x0A, 0x0D, 0x09].contains($0) }
        return text == Array(#"{"result":"ok"}"#.utf8)
            ? .taken : .refused(cause: "the server did not answer with {\"result\":\"ok\"}; check the address")
    }

    private func feature(_ record: PublishRecord) -> [UInt8]? {
        guard let location = record.location, record.occasion != .lost else { return nil }
        var point = Array(#"{"type":"Feature","geometry":{"type":"Point","coordinates":["#.utf8)
        DecimalText.append(location.coordinate.longitude, decimals: 7, trimmed: true, to: &point)
        point.append(UInt8(ascii: ","))
        DecimalText.append(location.coordinate.latitude, decimals: 7, trimmed: true, to: &point)
        point += Array(#"]},"properties":"#.utf8)
        var properties = JSONObject()
        properties.set("timestamp", record.time.formatted(fractionDigits: 3))
        properties.set("altitude", location.altitudeMSL, decimals: 1)
        // The protocol writes −1 for unknown.
        properties.set("speed", location.speed ?? -1, decimals: 2)
        properties.set("course", location.course ?? -1, decimals: 1)
        properties.set("horizontal_accuracy", location.horizontalAccuracy ?? -1, decimals: 1)
        properties.set("vertical_accuracy", location.verticalAccuracy ?? -1, decimals: 1)
        properties.set("device_id", device)
        return point + properties.text + [UInt8(ascii: "}")]
    }
}
