import LocationCore

/// A topic to which a client may publish.
///
/// Topics that brokers refuse, or that no subscriber expects, cannot be made: one with a wildcard, a dollar sign or a hidden
/// character, and one with an empty level, such as after a leading slash.
package struct MQTTTopic: Hashable, Sendable {
    /// The topic as text, such as `owntracks/anna/boat`.
    package let name: String

    private static let lengthLimit = 1000

    package init(_ name: String) throws(PublishError) {
        guard !name.isEmpty else { throw .topic(.empty) }
        guard name.utf8.count <= Self.lengthLimit else { throw .topic(.length) }
        guard name.utf8.first != UInt8(ascii: "/") else { throw .topic(.leadingSlash) }
        guard !name.utf8.contains(where: { "+#$".utf8.contains($0) }) else { throw .topic(.wildcard) }
        guard !name.unicodeScalars.contains(where: VisibleText.isHidden) else { throw .topic(.hidden) }
        let levels = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard levels.allSatisfy({ !$0.isEmpty }) else { throw .topic(.emptyLevel) }
        self.name = name
    }

    /// The parts between the slashes.
    package var levels: [String] {
        name.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
    }
}

/// A reason for which a text is not a topic to publish to; the raw value is a message for people, without any part of the topic.
package enum MQTTTopicFault: String, Sendable {
    case empty = "the topic is missing, as in owntracks/USER/DEVICE"
    case length = "the topic has more than 1000 bytes"
    case leadingSlash = "the topic must not begin with a slash"
    case emptyLevel = "the topic must not have an empty part between slashes, or end with one"
    case wildcard = "the topic must not contain +, # or $"
    case hidden = "the topic must not contain a control character"
    case slash = "the name of a user or a device must not contain a slash"
}
