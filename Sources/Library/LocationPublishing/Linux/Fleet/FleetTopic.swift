import LocationCore

/// The topic of a fleet's message: the device to which it belongs, and the meaning of its last level.
///
/// The topic `owntracks/anna/boat` belongs to the device of that name, and so does `owntracks/anna/boat/event`.
struct FleetTopic: Hashable {
    enum TopicKind: Hashable {
        /// The topic of the device itself, or of its attributes, on which positions are published.
        case positions
        /// The topic for events at fences.
        case events
        /// The topic that says whether the device is connected.
        case status
        case other
    }

    static let lengthLimit = 1000

    /// The name of the device, in which control characters are visible.
    let device: String
    let kind: TopicKind

    init(_ topic: String) {
        guard let (base, suffix) = Self.split(topic) else {
            device = VisibleText.of(topic)
            kind = .positions
            return
        }
        device = VisibleText.of(base)
        kind =
            switch suffix {
            case "attributes": .positions
            case "event": .events
            case "status": .status
            default: .other
            }
    }

    /// Returns the filters that cover the messages of the devices whose positions match a filter.
    static func filters(covering filter: String) -> [String] {
        if filter.utf8.last == UInt8(ascii: "#") { return [filter] }
        guard let slash = filter.utf8.lastIndex(of: UInt8(ascii: "/")) else { return covering(filter) }
        switch filter[filter.utf8.index(after: slash)...] {
        case "attributes": return [filter, filter[..<slash] + "/status"]
        case "event", "status": return [filter]
        default: return covering(filter)
        }
    }

    private static func covering(_ filter: String) -> [String] { [filter, filter + "/event", filter + "/status"] }

    /// Returns the topic of the device and the level after it, or `nil` for the topic of a device.
    private static func split(_ topic: String) -> (base: String, suffix: Substring)? {
        let bytes = topic.utf8
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return nil }
        let suffix = topic[bytes.index(after: slash)...]
        guard Self.suffixes.contains(where: { $0 == suffix }) else { return nil }
        // In OwnTracks a user or a device can have such a name; the levels after them cannot be devices.
        let levels = bytes.count { $0 == UInt8(ascii: "/") } + 1
        if topic.hasPrefix("owntracks/"), levels < 4 { return nil }
        return (String(topic[..<slash]), suffix)
    }

    private static let suffixes: [Substring] = [
        "attributes", "event", "status", "waypoint", "waypoints", "cmd", "dump", "info", "step", "request",
    ]
}
