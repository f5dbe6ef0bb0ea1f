/// A pattern for the names of devices, in which `*` stands for any characters and `?` for one.
///
/// A pattern without a slash is compared with the part of a name after its last slash, and with the whole name: `truck*`
/// matches `owntracks/fleet/truck7`, and `tcp*` matches `tcp://ship:10110`. A pattern without `*` and `?` that is not a
/// whole name matches only the last part.
package struct NamePattern: Hashable, Sendable {
    private let text: String
    private let isExact: Bool
    private let hasSlash: Bool

    package init(_ text: String) {
        self.text = text
        isExact = !text.unicodeScalars.contains { $0 == "*" || $0 == "?" }
        hasSlash = text.unicodeScalars.contains("/")
    }

    package var isName: Bool { isExact }

    /// Whether the pattern is a whole path, which gpsd can look up itself.
    package var isPath: Bool { isExact && hasSlash }

    package func matches(_ name: String) -> Bool {
        if isExact, name == text { return true }
        let (whole, pattern) = (name.unicodeScalars[...], text.unicodeScalars[...])
        guard !hasSlash else { return !isExact && Self.matches(whole, pattern) }
        let last = whole.lastIndex(of: "/").map { whole[$0...].dropFirst() }
        return last.map { Self.matches($0, pattern) } ?? false || Self.matches(whole, pattern)
    }

    /// Compares in time proportional to the product of the lengths, without recursion.
    private static func matches(_ name: Substring.UnicodeScalarView, _ pattern: Substring.UnicodeScalarView) -> Bool {
        var (name, pattern) = (name, pattern)
        // The rest of the pattern after the last `*`, and the rest of the name after what it stands for.
        var resume: (name: Substring.UnicodeScalarView, pattern: Substring.UnicodeScalarView)?
        while let scalar = name.first {
            if pattern.first == "*" {
                pattern.removeFirst()
                resume = (name, pattern)
            } else if let wanted = pattern.first, wanted == "?" || wanted == scalar {
                name.removeFirst()
                pattern.removeFirst()
            } else if let back = resume {
                (name, pattern) = (back.name.dropFirst(), back.pattern)
                resume = (name, pattern)
            } else {
                return false
            }
        }
        return pattern.allSatisfy { $0 == "*" }
    }
}
