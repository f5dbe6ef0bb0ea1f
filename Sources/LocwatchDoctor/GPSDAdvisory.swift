/// Public bugs of gpsd that bytes of a receiver, a log or a server reach.
///
/// As of November 2026. CVE-2026-58459 is not here: it is in gpsprof, which locwatch does not run.
struct GPSDAdvisory: Hashable, Sendable {
    /// The bugs in a few words.
    let bugs: String
    /// The day of their publication.
    let published: String
    /// The place where they are described.
    let source: String
    /// The numbers of the first release that has repaired them, or `nil` if none is known.
    let repaired: [Int]?

    /// All of them, by their publication.
    static let all = [
        // Debian 12 has repaired both in 3.22-4.1+deb12u1, Ubuntu 22.04 in 3.22-4ubuntu2.1 (USN-7948-1).
        GPSDAdvisory(
            bugs: "CVE-2025-67268 writes beyond an array, CVE-2025-67269 hangs", published: "2026-01-02",
            source: "gpsd 3.27.1's notes", repaired: [3, 27, 1]),
        // Described in https://xchglabs.com/blog/fuzzing-gpsd-part-three.html, which names no release that has repaired them.
        GPSDAdvisory(
            bugs: "eight memory bugs in drivers and in the reader of commands", published: "2026-06-09",
            source: "gpsd's work item 397", repaired: nil),
    ]

    /// The last release that was out when this table was made; what a later one has repaired is not known here.
    static let lastKnownRelease = [3, 27, 5]

    /// Returns the advisories for a release such as `3.22` or `3.25~dev`.
    static func all(for release: String) -> [GPSDAdvisory] {
        let numbers = release.prefix { $0.isNumber || $0 == "." }.split(separator: ".").compactMap { Int($0) }
        guard !numbers.isEmpty else { return [] }
        return all.filter { advisory in
            if let repaired = advisory.repaired { return numbers.lexicographicallyPrecedes(repaired) }
            return !lastKnownRelease.lexicographicallyPrecedes(numbers)
        }
    }
}
