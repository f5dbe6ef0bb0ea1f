package import LocationGPSD
import LocwatchTerminal

/// The SOURCE word of an invocation, which names the origin of the session.
package struct SourceWord: Sendable {
    package let source: Source
    /// The word as it was given, if it was.
    private var word: String?

    init(_ source: Source) { self.source = source }

    package init(_ word: String, exists: (String) -> Bool) throws(UsageError) {
        self.init(try Self.source(word, exists))
        self.word = word
    }

    private static func source(_ word: String, _ exists: (String) -> Bool) throws(UsageError) -> Source {
        try SourceQuery(word).requireNoPassword()
        for kind in SourceTable.all {
            // A name can begin with a combining mark, which as text is one character with the colon before it.
            for prefix in kind.prefixes where word.utf8.starts(with: prefix.utf8) {
                return try kind.init(String(Substring(word.utf8.dropFirst(prefix.utf8.count))), prefix: prefix).source
            }
        }
        for kind in SourceTable.all where kind.recognizes(word, exists: exists) {
            return try kind.init(word, prefix: "").source
        }
        if let colon = word.firstIndex(of: ":"), word[colon...].hasPrefix("://") {
            let known = EnglishList.and(SourceTable.all.flatMap { $0.prefixes })
            throw .source(word, "unknown scheme \(word[..<colon]); the schemes are \(known)")
        }
        return try SourceTable.standard.init(word, prefix: "").source
    }

    /// The word as it is written in a shell after a command, with a space before it; nothing for the gpsd on this machine.
    package var argument: String { self == .standard ? "" : " " + ShellWords.quoted(word ?? description) }

    /// The command line of `doctor` for the source as a part of a sentence, or `nil` if doctor does not check it.
    package var doctor: String? { isLive ? line("doctor") : nil }

    /// Returns the command line of a command for the source, in quotes unless these would change what a shell reads.
    package func line(_ command: String) -> String {
        let line = "locwatch \(command)\(argument)"
        return line.contains("'") ? line : "'\(line)'"
    }

    package var isLive: Bool { source.isLive }

    package var namesSubjects: Bool { source.namesSubjects }

    package var place: String { source.place }

    package var endpoint: GPSDEndpoint? { source.endpoint }

    package var serialPath: String? { source.serialPath }

    package var stream: StreamAddress? { source.stream }
}

extension SourceWord: Hashable {
    /// The full form parses to the same source, so equal full forms mean equal sources.
    package static func == (left: SourceWord, right: SourceWord) -> Bool { left.description == right.description }

    package func hash(into hasher: inout Hasher) { hasher.combine(description) }
}

extension SourceWord: CustomStringConvertible {
    package var description: String { source.description }
}

extension UsageError {
    static func source(_ word: String, _ reason: String) -> UsageError {
        // The reason can contain a part of the word.
        UsageError("invalid SOURCE \"\(word.printable)\": \(reason.printable)")
    }
}
