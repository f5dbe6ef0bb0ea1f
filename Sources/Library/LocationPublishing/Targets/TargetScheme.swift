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
    typealias Preparation = @Sendable (inout TargetBuilder) throws(PublishError) -> TargetEncoder

    /// The parts of a word that every target has.
    struct Word: Sendable {
        let prepare: Preparation
        /// Whether the target can use a password.
        var takesPassword = false
        /// The files of the encryption that the word names.
        var encryption = MQTTSettings.Encryption()
        /// The host, or an empty text.
        var host = ""
        /// The order of records after an outage that the word asks for, in place of the usual one.
        var backlog: BacklogOrder?
        /// A parameter of an earlier release, if there is one.
        var former: FormerParameter?
        /// The text after the prefix, without the parameters that are for the target itself.
        var address = ""
    }

    /// All schemes, in the order of the help.
    package static let all: [TargetScheme] = [
        mqtt, homeAssistant, ownTracksHTTP, traccar, overland, webhook, nmea, text, file, cursorOnTarget,
    ].flatMap(\.self)

    /// The name, which stands before the colon.
    package let name: String
    /// The beginning of a word: the name with `://` before a host, or with `:` before a path of this machine.
    package let prefix: String
    package let example: String
    /// The protocol or the content, in words.
    package let summary: String
    let access: Access
    /// Returns the parts of a word from the text after the prefix.
    let parse: @Sendable (Substring) throws(PublishError) -> Word

    /// Creates a scheme; `form` is a form of the word after `://`.
    init(
        _ name: String, form: String, summary: String, access: Access = .open, isEncrypted: Bool = false,
        allowsEmptyHost: Bool = false, parameters: [TargetParameter] = [],
        parse: @escaping @Sendable (TargetWordParts) throws(PublishError) -> Preparation
    ) {
        self.name = name
        self.summary = summary
        self.access = access
        prefix = "\(name)://"
        example = prefix + form
        self.parse = { text throws(PublishError) in
            var parts = try TargetWordParts(text, allowsEmptyHost: allowsEmptyHost)
            parts.isEncrypted = isEncrypted
            let length = parts.rest.utf8.count
            try parts.take(parameters + (isEncrypted ? TargetParameter.encryption : []))
            let address = text.utf8.dropLast(length)
            guard parts.user == nil || access == .user else { throw .unexpectedUser }
            return Word(
                prepare: try parse(parts), takesPassword: parts.user != nil || access == .token,
                encryption: parts.encryption, host: parts.host,
                backlog: parts.backlog, former: parts.former,
                address: String(Substring(address)) + parts.rest)
        }
    }

    /// Creates the scheme of a path on this machine; `form` is a form of the word after the colon.
    init(
        _ name: String, path form: String, summary: String,
        parse: @escaping @Sendable (TargetPath) throws(PublishError) -> Preparation
    ) {
        self.name = name
        self.summary = summary
        access = .open
        prefix = "\(name):"
        example = prefix + form
        self.parse = { text throws(PublishError) in
            Word(prepare: try parse(TargetPath(text)), address: String(text))
        }
    }

    /// Returns the two schemes of a target with and without TLS.
    static func pair(
        _ plain: (name: String, summary: String), encrypted: (name: String, summary: String), form: String,
        access: Access = .open, parameters: [TargetParameter] = [],
        parse: @escaping @Sendable (TargetWordParts) throws(PublishError) -> Preparation
    ) -> [TargetScheme] {
        [(plain, false), (encrypted, true)].map { scheme, isEncrypted in
            TargetScheme(
                scheme.name, form: form, summary: scheme.summary, access: access, isEncrypted: isEncrypted,
                parameters: parameters, parse: parse)
        }
    }

    /// Returns the scheme of a word, and the text after its prefix.
    static func split(_ word: String) throws(PublishError) -> (scheme: TargetScheme, rest: Substring) {
        guard let colon = word.utf8.firstIndex(of: UInt8(ascii: ":")) else { throw .noScheme }
        let name = word[..<colon].lowercased()
        guard let scheme = all.first(where: { $0.name == name }) else {
            throw word[colon...].hasPrefix("://") ? .unknownScheme(name) : .noScheme
        }
        guard word[colon...].hasPrefix(scheme.prefix.dropFirst(name.count)) else { throw .noScheme }
        return (scheme, word[colon...].dropFirst(scheme.prefix.count - name.count))
    }

    /// Returns whether a word begins with the scheme of a target.
    package static func isNamed(by word: String) -> Bool { (try? split(word)) != nil }
}
