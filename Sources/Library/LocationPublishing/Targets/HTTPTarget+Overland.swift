import LocationCore

extension TargetScheme {
    /// Overland's protocol, whose token is the password.
    static let overland = pair(
        ("overland+http", "Overland: batches of GeoJSON features"),
        encrypted: ("overland+https", "Overland: batches of GeoJSON features"), form: "HOST[:PORT]/PATH",
        access: .token,
        parameters: [.newest, .ordered]
    ) { parts throws(PublishError) in
        let url = try parts.url()
        return { target throws(PublishError) in
            let name = try target.deviceName()
            let headers = try target.headers(for: url)
            let token = target.password(for: url.host, isEncrypted: parts.isEncrypted)
            return try target.request { () throws(HTTPError) in
                .http(try .overland(url, device: name, token: token, headers: headers))
            }
        }
    }
}

extension HTTPTarget {
    /// The number of positions that Overland itself sends in a request.
    private static let overlandBatch = 200

    /// Returns a target of Overland's protocol, which carries many positions in a request.
    ///
    /// A loss is not sent, because its position was sent before.
    package static func overland(
        _ url: HTTPURL, device: String, token: String? = nil, headers: HTTPHeaders = HTTPHeaders()
    ) throws(HTTPError) -> HTTPTarget {
        var headers = headers
        try headers.set("Content-Type", "application/json")
        if let token { try headers.setBearerAuthorization(token: token) }
        return HTTPTarget(
            headers: headers, batchSize: overlandBatch, backlog: .newestFirst,
            includes: { $0.occasion != .lost && $0.location != nil }, verdict: { overlandVerdict(on: $0) },
            content: { records in
                guard !records.isEmpty else { return nil }
                var json = TextBuffer()
                json.object { object in
                    object.list("locations", records) { feature, record in
                        if let location = record.location { append(record, location, device, to: &feature) }
                    }
                }
                return (url, json.bytes)
            })
    }

    /// Returns what a response means: only the answer `{"result":"ok"}` says that the positions were taken.
    private static func overlandVerdict(on response: HTTPResponse) -> DeliveryVerdict {
        guard response.isSuccess else { return .ofStatus(response) }
        let text = String(decoding: response.body.withoutSpaces, as: UTF8.self)
        if text.hasPrefix("{"), text.containsBytes(of: #""result":"ok""#) { return .taken }
        return .tryAgain(cause: #"the server did not answer {"result":"ok"}"#, after: nil)
    }

    private static func append(
        _ record: PublishRecord, _ location: Location, _ device: String, to feature: inout TextBuffer
    ) {
        feature.member("type", "Feature")
        feature.object("geometry") { geometry in
            geometry.member("type", "Point")
            geometry.put(key: "coordinates")
            // The order of GeoJSON.
            geometry.list([location.coordinate.longitude, location.coordinate.latitude]) {
                $0.put(trimmed: $1, decimals: 7)
            }
        }
        feature.object("properties") { properties in
            properties.member("timestamp", record.time)
            properties.member("altitude", location.altitudeMSL, decimals: 3)
            properties.member("speed", location.plausibleSpeed, decimals: 3)
            properties.member("course", location.plausibleCourse, decimals: 2)
            properties.member("horizontal_accuracy", location.plausibleAccuracy, decimals: 3)
            properties.member("vertical_accuracy", location.plausibleVerticalAccuracy, decimals: 3)
            properties.member("speed_accuracy", location.speedAccuracy, decimals: 3)
            properties.member("course_accuracy", location.courseAccuracy, decimals: 2)
            if record.isStationary { properties.member("motion", ["stationary"]) }
            properties.member("device_id", device)
            if record.isRepeated { properties.member("repeated", true) }
        }
    }
}
