import LocationCore

extension TargetScheme {
    /// The newest position in a file.
    static let file = [
        TargetScheme(
            "file", path: "PATH[?mode=600][&format=TEMPLATE]",
            summary: "the newest position in a file, as JSON or by a template, replaced at once"
        ) { parts throws(PublishError) in
            try parts.requireParameters(["mode", "format"])
            let mode = try parts.mode()
            let template: PublishTemplate?
            do throws(InvalidValue) {
                template = try parts.value(of: "format").map { (text) throws(InvalidValue) in
                    try PublishTemplate(text)
                }
            } catch {
                throw .template(error)
            }
            return { target throws(PublishError) in
                .path(target.path(parts.path), .file, mode: mode, FileTarget(template))
            }
        }
    ]
}

/// An encoder of records as the content of a file with the newest position.
///
/// Without a position the JSON says `lost`, and the content by a template is empty, so that none shows the last one.
package struct FileTarget: StreamTarget, Hashable {
    /// The template of the content; `nil` stands for JSON.
    private let template: PublishTemplate?

    package init(_ template: PublishTemplate?) { self.template = template }

    /// Returns the content for a record, or nothing for an event at a fence.
    package func datagrams(for record: PublishRecord) -> [[UInt8]] {
        if case .fence = record.occasion { return [] }
        guard record.isPosition else {
            guard template == nil else { return [[]] }
            return [RecordJSON.encode(PublishRecord(.lost, created: record.created, location: nil)) + [0x0A]]
        }
        guard let template else { return [RecordJSON.encode(record) + [0x0A]] }
        return [Array((template.text(for: record) { _, _, text in VisibleText.of(text) } + "\n").utf8)]
    }
}
