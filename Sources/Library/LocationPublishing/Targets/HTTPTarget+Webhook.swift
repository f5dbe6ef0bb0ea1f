import LocationCore

extension TargetScheme {
    private static let webhookSummary = "any web server: a template of the address, or JSON in the body"

    /// A webhook, whose word is the template of its address.
    static let webhook = pair(
        ("http", webhookSummary), encrypted: ("https", webhookSummary),
        form: "[USER@]HOST[:PORT]/PATH?lat=%{lat}&lon=%{lon}", access: .user, parameters: [.method, .newest, .ordered]
    ) { parts throws(PublishError) in
        // The slash after the host makes a value in the host impossible.
        let rest = parts.rest.hasPrefix("/") ? parts.rest : "/" + parts.rest
        let template: PublishTemplate
        do throws(InvalidValue) {
            template = try PublishTemplate("\(parts.urlScheme.rawValue)://\(parts.authority(nil))\(rest)")
        } catch {
            throw .template(error)
        }
        let url = try TargetWordParts.url { () throws(HTTPError) in try HTTPTarget.sampleURL(template) }
        return { target throws(PublishError) in
            let options = target.use(.body, .contentType)
            let method = parts.value(of: .method).flatMap { HTTPMethod(rawValue: $0.uppercased()) }
            var headers = try target.headers(for: url, login: parts.user)
            // The machine is a tag of the lines.
            let host = options.body == .influx ? try target.deviceName() : ""
            return try target.request { () throws(HTTPError) in
                if let type = options.contentType { try headers.set("Content-Type", type) }
                return .http(
                    try .webhook(template, body: options.body, host: host, method: method, headers: headers))
            }
        }
    }
}

extension HTTPTarget {
    private enum Body: Hashable {
        case json
        case template(BodyTemplate)
        case influx(host: String)

        func bytes(for records: [PublishRecord]) -> [UInt8] {
            switch self {
            case .json: return records.first.map(RecordJSON.encode) ?? []
            case .template(let template): return records.first.map(template.body) ?? []
            case .influx(let host):
                var lines = TextBuffer()
                for record in records { InfluxLine(record, host: host)?.append(at: record.time, into: &lines) }
                return lines.bytes
            }
        }

        func includes(_ record: PublishRecord) -> Bool {
            guard case .influx(let host) = self else { return true }
            return InfluxLine(record, host: host) != nil
        }

        /// Whether the records of a request are lines of one body.
        var hasLines: Bool { if case .influx = self { true } else { false } }
    }

    /// The number of lines of InfluxDB's in a request.
    private static let lineBatch = 500

    /// Returns a target at any HTTP server, by a template of the address and, optionally, of the body.
    ///
    /// Values are percent-encoded in the address, and escaped in a body as its type needs; a header `Content-Type` decides that
    /// too. A loss without a position is not sent, because its address would have no values. Neither is a record whose
    /// address becomes longer than 8,000 bytes.
    ///
    /// - Parameters:
    ///   - url: The template of the address.
    ///   - body: The body; `nil` stands for the JSON of a record.
    ///   - host: The name of the machine, which is a tag of InfluxDB's lines.
    ///   - method: The method; `nil` stands for GET if the address has values and there is no body, and otherwise for POST.
    package static func webhook(
        _ url: PublishTemplate, body: RecordBody? = nil, host: String = "", method: HTTPMethod? = nil,
        headers: HTTPHeaders = HTTPHeaders()
    ) throws(HTTPError) -> HTTPTarget {
        _ = try sampleURL(url)
        let content: Body
        let form: BodyTemplate.Form
        switch body {
        case .template(let text):
            let template = BodyTemplate(text, contentType: headers["Content-Type"])
            (content, form) = (.template(template), template.form)
        case .influx: (content, form) = (.influx(host: host), .text)
        case nil: (content, form) = (.json, .json)
        }
        let method = method ?? (body == nil && url.hasValues ? .get : .post)
        guard body == nil || method.carriesBody else { throw .unexpectedBody(method) }
        var headers = headers
        if method.carriesBody, headers["Content-Type"] == nil { try headers.set("Content-Type", form.contentType) }
        return HTTPTarget(
            // Several lines are one body, if the address is that of all of them.
            method, headers: headers, batchSize: content.hasLines && !url.hasValues ? lineBatch : 1,
            backlog: content.hasLines ? .newestFirst : .ordered,
            includes: { content.includes($0) },
            content: { records in
                let address = records.lazy.filter { $0.location != nil }.compactMap { try? HTTPURL(url.urlEncoded($0)) }
                return address.first.map { ($0, method.carriesBody ? content.bytes(for: records) : []) }
            })
    }

    /// Returns the address of a record, whose protocol and host are those of every record.
    ///
    /// - Throws: An error if the template makes no address, or if a value is in the host, where it could choose the server.
    static func sampleURL(_ url: PublishTemplate) throws(HTTPError) -> HTTPURL {
        guard case .text(let start)? = url.pieces.first else { throw .invalidURL(.scheme) }
        // The slashes of `https://` are the first two, and another delimiter ends the host.
        var slashes = 0
        let hostEnds =
            url.pieces.count == 1
            || start.utf8.contains { byte in
                if byte == UInt8(ascii: "/") { slashes += 1 }
                return slashes > 2 || slashes == 2 && byte == UInt8(ascii: "?")
            }
        guard hostEnds else { throw .invalidURL(.host) }
        let sample = PublishRecord(
            .moved, created: Timestamp(nanosecondsSince1970: 0),
            location: Location(coordinate: Coordinate(latitude: 0, longitude: 0)))
        return try HTTPURL(url.urlEncoded(sample))
    }
}
