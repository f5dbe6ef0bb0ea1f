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
        isExact = !text.utf8.contains { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "?") }
        hasSlash = text.utf8.contains(UInt8(ascii: "/"))
    }

    package var isName: Bool { isExact }

    /// Whether the pattern is a whole path, which gpsd can look up itself.
    package var isPath: Bool { isExact && hasSlash }

    package func matches(_ name: String) -> Bool {
        if isExact, name == text { return true }
        guard !hasSlash else { return !isExact && Self.matches(name.utf8[...], text.utf8[...]) }
        let last = name.utf8.lastIndex(of: UInt8(ascii: "/")).map { name.utf8[name.utf8.index(after: $0)...] }
        if let last, Self.matches(last, text.utf8[...]) { return true }
        return Self.matches(name.utf8[...], text.utf8[...])
    }

    /// Compares in time proportional to the product of the lengths, without recursion.
    private static func matches(_ name: Substring.UTF8View, _ pattern: Substring.UTF8View) -> Bool {
        var (index, place) = (name.startIndex, pattern.startIndex)
        // The position after the last `*`, and how far the name was read when it was found.
        var resume: (index: Substring.UTF8View.Index, place: Substring.UTF8View.Index)?
        while index < name.endIndex {
            if place < pattern.endIndex, pattern[place] == UInt8(ascii: "*") {
                place = pattern.index(after: place)
                resume = (index, place)
            } else if place < pattern.endIndex, pattern[place] == UInt8(ascii: "?") {
                index = afterCharacter(name, index)
                place = pattern.index(after: place)
            } else if place < pattern.endIndex, pattern[place] == name[index] {
                index = name.index(after: index)
                place = pattern.index(after: place)
            } else if let back = resume {
                index = afterCharacter(name, back.index)
                place = back.place
                resume = (index, place)
            } else {
                return false
            }
        }
        return pattern[place...].allSatisfy { $0 == UInt8(ascii: "*") }
    }

    /// Returns the index after all bytes of one character.
    private static func afterCharacter(
        _ name: Substring.UTF8View, _ index: Substring.UTF8View.Index
    ) -> Substring.UTF8View.Index {
        var index = name.index(after: index)
        while index < name.endIndex, name[index] & 0xC0 == 0x80 { index = name.index(after: index) }
        return index
    }
}
