import LocationCore

extension TargetScheme {
    /// Traccar's OsmAnd protocol; without an identifier, that of the device is its name.
    static let traccar = pair(
        ("traccar", "Traccar's OsmAnd protocol"), encrypted: ("traccars", "Traccar's OsmAnd protocol with TLS"),
        form: "HOST[:5055]?id=ID", parameters: [.newest]
    ) { parts throws(PublishError) in
        let url = try parts.url(defaultPort: 5055)
        var id: String?
        for (name, value) in url.parameters {
            guard name == "id" else { throw .unexpectedParameter(name) }
            if !value.isEmpty { id = value }
        }
        return { [id] target throws(PublishError) in
            let url = url.withoutQuery
            return .http(.traccar(url, id: try target.deviceName(id), headers: try target.headers(for: url)))
        }
    }
}

extension HTTPTarget {
    /// The first time in milliseconds that a server of Traccar does not take for seconds.
    private static let firstMilliseconds = 1 << 31

    /// Returns a target of Traccar's OsmAnd protocol, which Home Assistant and many other servers understand too.
    ///
    /// Records keep their order, because Traccar compares a position with the last one only.
    ///
    /// The values are in the query of the address, the only form that every server has taken all along. A loss is not sent: for a
    /// message without a position the server would store the last one again.
    package static func traccar(_ url: HTTPURL, id: String, headers: HTTPHeaders = HTTPHeaders()) -> HTTPTarget {
        HTTPTarget(
            headers: headers,
            advice: "if it answers 400 to a position, add a device with the identifier of the target in Traccar",
            verdict: { response in
                // For the query form the status of an unknown device is 400; a 404 comes from another server, or another port.
                guard response.status == 400 else { return .ofStatus(response) }
                return .refused(cause: "add a device with the identifier \(VisibleText.of(id)) in Traccar")
            },
            content: { records in
                guard let record = records.first, record.occasion != .lost, let location = record.location
                else { return nil }
                let query = [url.query, query(record, location, id: id)].compactMap { $0 }.joined(separator: "&")
                return (
                    HTTPURL(scheme: url.scheme, host: url.host, port: url.port, path: url.path, query: query), []
                )
            })
    }

    private static func query(_ record: PublishRecord, _ location: Location, id: String) -> String {
        var query = "id=" + PercentEncoding.encode(id) + "&timestamp=" + time(record.time)
        func add(_ name: String, _ value: Double?, decimals: Int) {
            guard let value else { return }
            query += "&\(name)=" + TextBuffer.text { $0.put(trimmed: value, decimals: decimals) }
        }
        add("lat", location.coordinate.latitude, decimals: 7)
        add("lon", location.coordinate.longitude, decimals: 7)
        // The protocol has knots.
        add("speed", location.plausibleSpeed.map { $0 * 3600 / 1852 }, decimals: 3)
        add("bearing", location.plausibleCourse, decimals: 2)
        add("altitude", location.altitudeMSL, decimals: 3)
        add("accuracy", location.plausibleAccuracy, decimals: 3)
        if let used = record.satellitesUsed { query += "&sat=\(used)" }
        // The server keeps what it does not know as attributes of the position.
        if record.verdict > .nominal { query += "&integrity=" + record.verdict.rawValue }
        if record.isRepeated { query += "&repeated=true" }
        if case .fence(let kind, let name) = record.occasion {
            query += "&geofence=" + PercentEncoding.encode(name) + "&change=" + kind.rawValue
        }
        return query
    }

    /// Returns a time in milliseconds, or as RFC 3339 if the server would take them for seconds.
    private static func time(_ time: Timestamp) -> String {
        time.wholeMilliseconds >= firstMilliseconds
            ? String(time.wholeMilliseconds) : PercentEncoding.encode(time.formatted(fractionDigits: 0))
    }
}
