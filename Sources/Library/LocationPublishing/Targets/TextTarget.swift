import LocationCore

extension TargetScheme {
    /// A text for each position, as a datagram or as a line.
    static let text = [
        TargetScheme(
            "udp+text", form: "HOST:PORT", summary: "--body in datagrams, for any program", parameters: []
        ) { parts throws(PublishError) in
            let port = try textPort(parts)
            return { target throws(PublishError) in
                .datagrams(host: parts.host, port: port, try TextTarget(&target, isLine: false))
            }
        },
        TargetScheme(
            "tcp+text", form: "HOST:PORT",
            summary: "--body as lines, to a program that accepts connections",
            parameters: [.newest, .ordered, FormerParameter.order]
        ) { parts throws(PublishError) in
            let port = try textPort(parts)
            let keepsQueue = parts.value(of: .newest) == nil
            return { target throws(PublishError) in
                .connection(
                    host: parts.host, port: port, try TextTarget(&target, isLine: true),
                    keepsQueue: keepsQueue)
            }
        },
    ]

    /// Returns the port, which no text has by itself.
    private static func textPort(_ parts: TargetWordParts) throws(PublishError) -> UInt16 {
        try parts.requireNoPath()
        guard let port = parts.port else { throw .noPort }
        return port
    }
}

/// An encoder of records as a text of the user: one for each position.
///
/// A position that lacks a value of the template is left out, unless the template has a text for that case, as in `%{course|0}`.
package struct TextTarget: StreamTarget, Hashable {
    private enum Content: Hashable {
        case template(BodyTemplate)
        case influx(host: String)
    }

    private let content: Content
    /// Whether a line break ends the text, because it is a part of a stream.
    private let isLine: Bool

    /// Creates an encoder of the texts that a template makes.
    package init(_ template: PublishTemplate, isLine: Bool) {
        content = .template(BodyTemplate(template, contentType: nil))
        self.isLine = isLine
    }

    /// Creates the encoder of a target, which needs a body.
    init(_ target: inout TargetBuilder, isLine: Bool) throws(PublishError) {
        switch target.use(.body).body {
        case .template(let template): content = .template(BodyTemplate(template, contentType: nil))
        case .influx: content = .influx(host: try target.deviceName())
        case nil where target.options.isForProbe: content = .influx(host: "")
        case nil: throw .missingText
        }
        self.isLine = isLine
    }

    /// Returns the text of a position, or nothing for a loss, an event at a fence and a position that lacks a value.
    package func datagrams(for record: PublishRecord) -> [[UInt8]] {
        guard record.isPosition else { return [] }
        switch content {
        case .template(let template):
            guard let text = template.completeBody(for: record) else { return [] }
            return [isLine ? text + [UInt8(ascii: "\n")] : text]
        case .influx(let host):
            var out = TextBuffer()
            InfluxLine(record, host: host)?.append(at: record.time, into: &out)
            return out.count > 0 ? [out.bytes] : []
        }
    }
}
