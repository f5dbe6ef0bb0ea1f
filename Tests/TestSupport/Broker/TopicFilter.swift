/// A filter of the topics that a client has subscribed to.
struct TopicFilter: Hashable, Sendable {
    private let levels: [Substring]

    init(_ text: String) {
        levels = text.split(separator: "/", omittingEmptySubsequences: false)
    }

    /// Returns whether a topic matches: `+` stands for one level and `#` for all that follow, but neither for a first level
    /// with a dollar sign.
    func matches(_ topic: String) -> Bool {
        let names = topic.split(separator: "/", omittingEmptySubsequences: false)
        if topic.utf8.first == UInt8(ascii: "$"), levels.first == "+" || levels.first == "#" { return false }
        for (index, level) in levels.enumerated() {
            if level == "#" { return true }
            guard index < names.count, level == "+" || level == names[index] else { return false }
        }
        return names.count == levels.count
    }
}
