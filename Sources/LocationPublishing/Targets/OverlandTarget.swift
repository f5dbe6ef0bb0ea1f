import LocationCore

extension TargetScheme {
    /// Overland's protocol, whose token is the password.
    static let overland = pair(
        ("overland+http", "Overland: batches of GeoJSON features"),
        encrypted: ("overland+https", "Overland: batches of GeoJSON features"), form: "HOST[:PORT]/PATH", access: .token
    ) { parts throws(TargetWordError) in
        let url = try parts.url()
        return { target throws(TargetFault) in
            let name = try target.deviceName()
            let headers = try target.headers(for: url)
            let token = target.password(for: url.host, isEncrypted: parts.isEncrypted)
            return try target.request { () throws(HTTPError) in
                .http(try OverlandTarget(url, device: name, token: token, headers: headers))
            }
        }
    }
}

/// An encoder of records for Overland's protocol, which carries many positions in a request.
public struct OverlandTarget: HTTPTarget, Hashable {
    /// The name of the device.
    public let device: String
    private let url: HTTPURL
    private let headers: HTTPHeaders

    /// Creates an encoder.
    ///
    /// - Parameters:
    ///   - url: The address.
    ///   - device: The name of the device.
    ///   - token: The token that authorizes the device, if any.
    ///   - headers: More headers.
    public init(
        _ url: HTTPURL, device: String, token: String? = nil, headers: HTTPHeaders = HTTPHeaders()
    ) throws(HTTPError) {
        self.url = url
        self.device = device
        var headers = headers
        try headers.set("Content-Type", "application/json")
        if let token { try headers.setBearerAuthorization(token: token) }
        self.headers = headers
    }

    /// All records in their order.
    public var backlog: BacklogOrder { .ordered }

    /// The number of positions that Overland itself sends in a request.
    public var batchSize: Int { 200 }

    /// Returns the request for all records with a position, except losses, whose positions were sent before.
    public func request(for records: [PublishRecord]) -> HTTPRequest? {
        let features = records.compactMap { record in
            record.occasion == .lost ? nil : record.location.map { feature(record, $0) }
        }
        guard !features.isEmpty else { return nil }
        var object = JSONObject()
        object.member("locations", list: features)
        return HTTPRequest(.post, url, headers: headers, body: object.bytes)
    }

    /// Returns what a response means: only the answer `{"result":"ok"}` says that the positions were taken.
    public func verdict(on response: HTTPResponse) -> DeliveryVerdict {
        guard response.isSuccess else { return .ofStatus(response) }
        let text = String(decoding: response.body.withoutSpaces, as: UTF8.self)
        if text.hasPrefix("{"), text.containsBytes(of: #""result":"ok""#) { return .taken }
        return .tryAgain(cause: #"the server did not answer {"result":"ok"}"#, after: nil)
    }

    private func feature(_ record: PublishRecord, _ location: Location) -> JSONObject {
        var geometry = JSONObject()
        geometry.member("type", "Point")
        // The order of GeoJSON.
        geometry.member(
            "coordinates", list: [location.coordinate.longitude, location.coordinate.latitude], decimals: 7)
        var properties = JSONObject()
        properties.member("timestamp", time: record.time)
        properties.member("altitude", number: location.altitudeMSL, decimals: 3)
        properties.member("speed", number: location.plausibleSpeed, decimals: 3)
        properties.member("course", number: location.plausibleCourse, decimals: 2)
        properties.member("horizontal_accuracy", number: location.plausibleAccuracy, decimals: 3)
        properties.member("vertical_accuracy", number: location.plausibleVerticalAccuracy, decimals: 3)
        properties.member("speed_accuracy", number: location.speedAccuracy, decimals: 3)
        properties.member("course_accuracy", number: location.courseAccuracy, decimals: 2)
        properties.member("device_id", device)
        var feature = JSONObject()
        feature.member("type", "Feature")
        feature.member("geometry", object: geometry)
        feature.member("properties", object: properties)
        return feature
    }
}
