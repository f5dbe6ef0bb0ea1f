import Glibc

/// The paths to which an AppArmor profile allows a program to write.
///
/// The parser reads the rules for paths and ignores variables and abstractions, which do not contain receivers.
struct AppArmorProfile: Hashable, Sendable {
    /// The path of gpsd's profile on Debian and Ubuntu.
    static let path = "/etc/apparmor.d/usr.sbin.gpsd"
    /// The path of the local additions to the profile.
    static let localPath = "/etc/apparmor.d/local/usr.sbin.gpsd"

    private let patterns: [String]

    /// - Parameter text: The profile followed by the local additions.
    init(_ text: String) {
        patterns = text.split(whereSeparator: \.isNewline).flatMap { line -> [String] in
            let words = line.prefix { $0 != "#" }.split { $0 == " " || $0 == "\t" }
            guard let place = words.firstIndex(where: { $0.hasPrefix("/") }), place == 0 || words[0] == "owner",
                let rights = words.dropFirst(place + 1).first, rights.hasSuffix(","), rights.contains("w")
            else { return [] }
            return Self.alternatives(of: String(words[place]))
        }
    }

    func allows(_ path: String) -> Bool { patterns.contains { Self.matches(path, $0[...]) } }

    /// Expands each `{a,b}` of a pattern into separate patterns.
    private static func alternatives(of pattern: String) -> [String] {
        guard let end = pattern.firstIndex(of: "}"), let start = pattern[..<end].lastIndex(of: "{") else {
            return [pattern]
        }
        let choices = pattern[start..<end].dropFirst().split(separator: ",", omittingEmptySubsequences: false)
        return choices.flatMap { alternatives(of: "\(pattern[..<start])\($0)\(pattern[end...].dropFirst())") }
    }

    /// Returns whether a path matches a pattern, in which `**` stands for any text, and `*` for one without a slash.
    private static func matches(_ path: String, _ pattern: Substring) -> Bool {
        guard let stars = pattern.indices.first(where: { pattern[$0...].hasPrefix("**") }) else {
            return fnmatch(String(pattern), path, FNM_PATHNAME) == 0
        }
        let rest = pattern[stars...].dropFirst(2)
        let places = Array(path.indices) + [path.endIndex]
        let begin = places.first { fnmatch(String(pattern[..<stars]), String(path[..<$0]), FNM_PATHNAME) == 0 }
        return begin.map { begin in places.contains { $0 >= begin && matches(String(path[$0...]), rest) } } ?? false
    }
}
