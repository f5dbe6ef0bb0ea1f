/// A scheme of TARGET words, with everything that makes a target of such a word.
///
/// The table ``all`` is the only list of them: words are parsed by it, and help, completions and the manual page are made from
/// it. A new target is an encoder with its schemes in one file, and a line in the table.
package struct TargetScheme: Sendable {
    /// A kind of access that a target asks for.
    enum Access: Sendable {
        /// None: the word names no user, and a password is of no use.
        case open
        /// A user in the word, who can have a password.
        case user
        /// A token, which is given as the password.
        case token
    }

    /// A closure that makes the encoder from the options of the target.
    typealias Preparation = @Sendable (inout TargetBuilder) throws(TargetFault) -> TargetEncoder

    /// All schemes, in the order of the help.
    package static let all: [TargetScheme] = [
        mqtt, homeAssistant, ownTracksHTTP, traccar, overland, webhook, nmea, cursorOnTarget,
    ].flatMap(\.self)

    /// The name, which stands before `://`.
    package let name: String
    /// A form of the word.
    package let example: String
    /// The protocol or the content, in words.
    package let summary: String
    /// The access that the target asks for.
    let access: Access
    /// Whether the connection is encrypted.
    let isEncrypted: Bool
    /// Whether the host may be missing.
    let allowsEmptyHost: Bool
    /// Returns the preparation of the target that a word names, from the parts of the word after the scheme.
    let parse: @Sendable (TargetWordParts) throws(TargetWordError) -> Preparation

    /// Creates a scheme; `form` is a form of the word after `://`.
    init(
        _ name: String, form: String, summary: String, access: Access = .open, isEncrypted: Bool = false,
        allowsEmptyHost: Bool = false,
        parse: @escaping @Sendable (TargetWordParts) throws(TargetWordError) -> Preparation
    ) {
        self.name = name
        self.summary = summary
        self.access = access
        self.isEncrypted = isEncrypted
        self.allowsEmptyHost = allowsEmptyHost
        self.parse = parse
        example = "\(name)://\(form)"
    }

    /// Returns the two schemes of a target with and without TLS.
    static func pair(
        _ plain: (name: String, summary: String), encrypted: (name: String, summary: String), form: String,
        access: Access = .open, parse: @escaping @Sendable (TargetWordParts) throws(TargetWordError) -> Preparation
    ) -> [TargetScheme] {
        [(plain, false), (encrypted, true)].map { scheme, isEncrypted in
            TargetScheme(
                scheme.name, form: form, summary: scheme.summary, access: access, isEncrypted: isEncrypted, parse: parse
            )
        }
    }

    /// The beginning of a word.
    package var prefix: String { name + "://" }

    /// Returns the scheme of a word, and the text after its `://`.
    static func split(_ word: String) throws(TargetWordError) -> (scheme: TargetScheme, rest: Substring) {
        guard let colon = word.utf8.firstIndex(of: UInt8(ascii: ":")), word[colon...].hasPrefix("://") else {
            throw .noScheme
        }
        let name = word[..<colon].lowercased()
        guard let scheme = all.first(where: { $0.name == name }) else { throw .unknownScheme(name) }
        return (scheme, word[colon...].dropFirst(3))
    }

    /// Returns whether a word begins with the scheme of a target.
    package static func isNamed(by word: String) -> Bool { (try? split(word)) != nil }
}
