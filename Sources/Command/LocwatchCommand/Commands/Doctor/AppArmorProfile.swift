/// The paths to which an AppArmor profile allows a program to write.
///
/// The parser reads the rules for paths and ignores variables and abstractions, which do not contain receivers.
struct AppArmorProfile: Hashable, Sendable {
    /// The path of gpsd's profile on Debian and Ubuntu.
    static let path = "/etc/apparmor.d/usr.sbin.gpsd"
    /// The path of the local additions to the profile.
    static let localPath = "/etc/apparmor.d/local/usr.sbin.gpsd"

    private let patterns: [[Character]]

    /// - Parameter text: The profile followed by the local additions.
    init(_ text: String) {
        patterns = text.split(whereSeparator: \.isNewline).flatMap { line -> [[Character]] in
            let words = line.prefix { $0 != "#" }.split { $0 == " " || $0 == "\t" }
            guard let place = words.firstIndex(where: { $0.hasPrefix("/") }), place == 0 || words[0] == "owner",
                let rights = words.dropFirst(place + 1).first, rights.hasSuffix(","), rights.contains("w")
            else { return [] }
            return Self.alternatives(of: Array(words[place]))
        }
    }

    /// Returns whether the program is allowed to write to a path.
    func allows(_ path: String) -> Bool {
        let path = Array(path)[...]
        return patterns.contains { Self.matches(path, $0[...]) }
    }

    /// Expands each `{a,b}` of a pattern into separate patterns.
    private static func alternatives(of pattern: [Character]) -> [[Character]] {
        guard let end = pattern.firstIndex(of: "}"), let start = pattern[..<end].lastIndex(of: "{") else {
            return [pattern]
        }
        return pattern[(start + 1)..<end].split(separator: ",", omittingEmptySubsequences: false).flatMap { choice in
            alternatives(of: Array(pattern[..<start]) + Array(choice) + Array(pattern[(end + 1)...]))
        }
    }

    private static func matches(_ path: ArraySlice<Character>, _ pattern: ArraySlice<Character>) -> Bool {
        guard let first = pattern.first else { return path.isEmpty }
        let rest = pattern.dropFirst()
        switch first {
        case "*":
            let crosses = rest.first == "*"
            let tail = crosses ? rest.dropFirst() : rest
            var left = path
            while true {
                if matches(left, tail) { return true }
                guard let next = left.popFirst(), crosses || next != "/" else { return false }
            }
        case "?":
            guard let character = path.first, character != "/" else { return false }
            return matches(path.dropFirst(), rest)
        case "[":
            guard let end = rest.firstIndex(of: "]"), let character = path.first,
                isIn(character, set: Array(rest[rest.startIndex..<end]))
            else { return false }
            return matches(path.dropFirst(), rest[(end + 1)...])
        default: return path.first == first && matches(path.dropFirst(), rest)
        }
    }

    private static func isIn(_ character: Character, set: [Character]) -> Bool {
        var index = 0
        while index < set.count {
            if index + 2 < set.count, set[index + 1] == "-" {
                if set[index] <= character, character <= set[index + 2] { return true }
                index += 3
            } else {
                if set[index] == character { return true }
                index += 1
            }
        }
        return false
    }
}
