import LocationCore

extension TargetScheme {
    private static let webhookSummary = "any web server: a template of the address, or JSON in the body"

    /// A webhook, whose word is the template of its address.
    static let webhook = pair(
        ("http", webhookSummary), encrypted: ("https", webhookSummary),
        form: "[USER@]HOST[:PORT]/PATH?lat=%{lat}&lon=%{lon}", access: .user, parameters: [.method]
    ) { parts throws(PublishError) in
        // The slash after the host makes a value in the host impossible.
        let rest = parts.rest.hasPrefix("/") ? parts.rest : "/" + parts.rest
        let template: PublishTemplate
        do throws(InvalidValue) {
            template = try PublishTemplate("\(parts.urlScheme.rawValue)://\(parts.authority(nil))\(rest)")
        } catch {
            throw .template(error)
        }
        let url = try TargetWordParts.url { () throws(HTTPError) in try WebhookTarget.sampleURL(template) }
        return { target throws(PublishError) in
            let options = target.use(.body, .contentType)
            let method = parts.value(of: .method).flatMap { HTTPMethod(rawValue: $0.uppercased()) }
            var headers = try target.headers(for: url, login: parts.user)
            // The machine is a tag of the lines.
            let host = options.body == .influx ? try target.deviceName() : ""
            return try target.request { () throws(HTTPError) in
                if let type = options.contentType { try headers.set("Content-Type", type) }
                return .http(
                    try WebhookTarget(template, body: options.body, host: host, method: method, headers: headers))
            }
        }
    }
}

/// An encoder of records for any HTTP server, by a template of the address and, optionally, of the body.
///
/// Values are percent-encoded in the address, and escaped in a body as its type needs. A body without a template is the JSON
/// of the record.
package struct WebhookTarget: HTTPTarget, Hashable {
    private enum Body: Hashable {
        case json
        case template(BodyTemplate)
        case influx(host: String)
    }

    private let url: PublishTemplate
    private let body: Body
    private let method: HTTPMethod
    private let headers: HTTPHeaders

    /// Creates an encoder; a header `Content-Type` also decides how values are escaped in a body.
    ///
    /// - Parameters:
    ///   - url: The template of the address.
    ///   - body: The body; `nil` stands for the JSON of a record.
    ///   - host: The name of the machine, which is a tag of InfluxDB's lines.
    ///   - method: The method; `nil` stands for GET if the address has values and there is no body, and otherwise for POST.
    package init(
        _ url: PublishTemplate, body: RecordBody? = nil, host: String = "", method: HTTPMethod? = nil,
        headers: HTTPHeaders = HTTPHeaders()
    ) throws(HTTPError) {
        _ = try Self.sampleURL(url)
        self.url = url
        let form: BodyTemplate.Form
        switch body {
        case .template(let text):
            let template = BodyTemplate(text, contentType: headers["Content-Type"])
            (self.body, form) = (.template(template), template.form)
        case .influx: (self.body, form) = (.influx(host: host), .text)
        case nil: (self.body, form) = (.json, .json)
        }
        self.method = method ?? (body == nil && url.hasValues ? .get : .post)
        guard body == nil || self.method.carriesBody else { throw .unexpectedBody(self.method) }
        var headers = headers
        if self.method.carriesBody, headers["Content-Type"] == nil {
            try headers.set("Content-Type", form.contentType)
        }
        self.headers = headers
    }

    /// Several lines of InfluxDB's are one body, if the address is that of all of them.
    package var batchSize: Int { isOfLines ? 500 : 1 }

    private var isOfLines: Bool { if case .influx = body { !url.hasValues } else { false } }

    package func includes(_ record: PublishRecord) -> Bool {
        guard case .influx(let host) = body else { return true }
        return InfluxLine(record, host: host) != nil
    }

    /// Returns the request for the first of the records that can be sent, or for all of them in a body of lines.
    ///
    /// A loss without a position is not sent, because its address would have no values. Neither is a record whose address
    /// becomes longer than 8,000 bytes.
    package func request(for records: [PublishRecord]) -> HTTPRequest? {
        for record in records where record.location != nil && includes(record) {
            guard let address = try? HTTPURL(url.urlEncoded(record)) else { continue }
            let bytes = method.carriesBody ? content(of: isOfLines ? records : [record]) : []
            return HTTPRequest(method, address, headers: headers, body: bytes)
        }
        return nil
    }

    private func content(of records: [PublishRecord]) -> [UInt8] {
        switch body {
        case .json: return records.first.map(RecordJSON.encode) ?? []
        case .template(let template): return records.first.map(template.body) ?? []
        case .influx(let host):
            var lines = TextBuffer()
            for record in records { InfluxLine(record, host: host)?.append(at: record.time, into: &lines) }
            return lines.bytes
        }
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
