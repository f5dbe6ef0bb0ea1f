/// The SOURCE word of an invocation: where a session comes from.
struct SourceWord: Sendable {
    /// What the word names.
    let source: any Source

    init(_ source: any Source) { self.source = source }

    /// Reads a word.
    ///
    /// - Parameter exists: whether a path names something.
    init(_ word: String, exists: (String) -> Bool) throws(UsageError) {
        self.init(try Self.source(word, exists))
    }

    private static func source(_ word: String, _ exists: (String) -> Bool) throws(UsageError) -> any Source {
        for kind in SourceTable.all {
            for prefix in kind.prefixes where word.hasPrefix(prefix) {
                return try kind.init(String(word.dropFirst(prefix.count)), prefix: prefix)
            }
        }
        for kind in SourceTable.all where kind.recognizes(word, exists: exists) {
            return try kind.init(word, prefix: "")
        }
        if let colon = word.firstIndex(of: ":"), word[colon...].hasPrefix("://") {
            let known = EnglishList.and(SourceTable.all.flatMap { $0.prefixes })
            throw .source(word, "no source has the scheme \(word[..<colon]); there are \(known)")
        }
        return try SourceTable.standard.init(word, prefix: "")
    }

    /// Whether the session happens now, and does not come out of a recording.
    var isLive: Bool { source.isLive }

    /// Where the session comes from, as a person would say it.
    var place: String { source.place }
}

extension SourceWord: Hashable {
    /// The full form of a word reads back as the same source, so it decides.
    static func == (left: SourceWord, right: SourceWord) -> Bool { left.description == right.description }

    func hash(into hasher: inout Hasher) { hasher.combine(description) }
}

extension SourceWord: CustomStringConvertible {
    /// The word in full, with its scheme.
    var description: String { source.description }
}

extension UsageError {
    static func source(_ word: String, _ reason: String) -> UsageError {
        UsageError("SOURCE \"\(word.printable)\": \(reason)")
    }
}
