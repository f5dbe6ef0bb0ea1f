import LocationCore

/// The TARGET word of a command line, which names what records are sent to.
///
/// A word never contains a password, so it can be stored and printed; `description` leaves out a query, which can hold a
/// token.
package struct TargetWord: Sendable {
    package let scheme: TargetScheme
    /// The word with visible characters only, and an ellipsis in the place of a query.
    package let description: String
    /// A name for the files that belong to the target: the readable start of the word, and a hash of the whole.
    ///
    /// It is the same in every run of a program. Two words have two names even if they differ only in the query, and the
    /// name shows no part of a path or a query.
    package let fileName: String
    /// Whether the target can use a password: the word names a user who signs in, or the target takes a token.
    package let takesPassword: Bool
    /// The files of the encryption that the word names.
    package let encryption: MQTTSettings.Encryption
    /// The order of records after an outage that the word asks for, in place of the usual one.
    private(set) var backlog: BacklogOrder?
    /// A parameter of an earlier release in the word, if there is one.
    package let former: FormerParameter?
    let prepare: TargetScheme.Preparation

    package init(_ word: String) throws(PublishError) {
        let (scheme, rest) = try TargetScheme.split(word)
        self.scheme = scheme
        let parts = try scheme.parse(rest)
        takesPassword = parts.takesPassword
        encryption = parts.encryption
        backlog = parts.backlog
        former = parts.former
        prepare = parts.prepare
        let end = rest.utf8.firstIndex(of: UInt8(ascii: "?"))
        description = VisibleText.of(scheme.prefix + (end.map { rest[..<$0] + "?…" } ?? rest))
        // The hash stands for the whole word, which is not kept because its query can hold a token.
        let hash = StableHash.of([scheme.name, parts.address])
        fileName = Self.readable(scheme.name + "-" + parts.host) + "-" + hash.hexadecimal
    }
}

extension TargetWord {
    /// The same target, which gets only the newest record after an outage, as with `?newest`.
    package var sendingNewestOnly: TargetWord {
        var word = self
        word.backlog = BacklogOrder.none
        return word
    }
}

extension TargetWord: Hashable {
    /// Returns whether two words are the same, but for the case of the scheme.
    package static func == (left: TargetWord, right: TargetWord) -> Bool { left.fileName == right.fileName }

    /// Hashes the name that stands for the whole word.
    package func hash(into hasher: inout Hasher) { hasher.combine(fileName) }
}

extension TargetWord: CustomStringConvertible {
    /// The maximum number of characters of a file's name before the hash.
    private static let readableCount = 40

    /// Returns the letters, digits and points of a text, with a hyphen for anything between them.
    private static func readable(_ text: String) -> String {
        var name: [UInt8] = []
        for byte in text.utf8.prefix(readableCount) {
            if byte.isLetterOrDigit || byte == UInt8(ascii: ".") {
                name.append(byte)
            } else if name.last != UInt8(ascii: "-") {
                name.append(UInt8(ascii: "-"))
            }
        }
        if name.last == UInt8(ascii: "-") { name.removeLast() }
        return String(decoding: name, as: UTF8.self)
    }
}
