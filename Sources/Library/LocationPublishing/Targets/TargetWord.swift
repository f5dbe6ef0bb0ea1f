package import LocationCore

/// The TARGET word of a command line, which names what records are sent to.
///
/// A word never contains a password, so it can be stored and printed; `description` leaves out a query, which can hold a
/// token.
package struct TargetWord: Sendable {
    /// The scheme.
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
    let prepare: TargetScheme.Preparation

    /// Parses a word.
    package init(_ word: String) throws(TargetWordError) {
        let (scheme, rest) = try TargetScheme.split(word)
        self.scheme = scheme
        let parts = try scheme.parse(rest)
        takesPassword = parts.takesPassword
        encryption = parts.encryption
        prepare = parts.prepare
        let end = rest.utf8.firstIndex(of: UInt8(ascii: "?"))
        description = VisibleText.of(scheme.prefix + (end.map { rest[..<$0] + "?…" } ?? rest))
        // The hash stands for the whole word, which is not kept because its query can hold a token.
        let hash = StableHash.of([scheme.name, parts.address])
        fileName = Self.readable(scheme.name + "-" + parts.host) + "-" + StableHash.digits(hash)
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
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "."): name.append(byte)
            default: if name.last != UInt8(ascii: "-") { name.append(UInt8(ascii: "-")) }
            }
        }
        if name.last == UInt8(ascii: "-") { name.removeLast() }
        return String(decoding: name, as: UTF8.self)
    }
}

/// A reason for which a text is not a target.
package enum TargetWordError: Error, Hashable, Sendable {
    /// The text does not begin with a scheme.
    case noScheme
    /// No target has the scheme.
    case unknownScheme(String)
    /// A password is in the word, where other users of the machine could see it.
    case password
    /// The target has no user.
    case unexpectedUser
    /// The host is missing.
    case noHost
    /// The host is neither a name nor an address.
    case badHost(String)
    /// The port is not a number from 1 to 65,535.
    case badPort(String)
    /// The path is missing, or has a zero byte.
    case noPath
    /// The mode is not an octal number up to 777.
    case badMode(String)
    /// The mode follows the template, which ends the word.
    case modeAfterTemplate
    /// Something follows the host that the target does not have.
    case unexpectedPath(String)
    /// The query has a parameter that the target does not have.
    case unexpectedParameter(String)
    /// A parameter of the target has a value that it cannot have.
    case badParameter(String, allowed: String)
    /// The topic is not one to publish to.
    case topic(MQTTTopicFault)
    /// The topic begins like one of OwnTracks, but names no user and device.
    case ownTracksTopic
    /// The address is not that of an HTTP resource.
    case url(cause: String)
    /// The template of a webhook is wrong.
    case template(TemplateError)
}

extension TargetWordError: CustomStringConvertible {
    /// A message for people; it never shows what could be a password.
    package var description: String {
        switch self {
        case .noScheme: "it must begin with one of \(Self.schemes)"
        case .unknownScheme(let name): "unknown scheme \(VisibleText.of(name)); the schemes are \(Self.schemes)"
        case .password:
            "a password must not be in it, because other users could see it: use LOCWATCH_PASSWORD or --password-file"
        case .unexpectedUser: "this kind of target has no user"
        case .noHost: "the host is missing"
        case .badHost(let host):
            "\"\(VisibleText.of(host))\" is neither the name of a host nor an address; an IPv6 address needs brackets"
        case .badPort(let port): "the port \"\(VisibleText.of(port))\" is not a number from 1 to 65535"
        case .noPath: "the path is missing, or has a zero byte"
        case .badMode(let mode): "the mode \"\(VisibleText.of(mode))\" is not an octal number up to 777, such as 640"
        case .modeAfterTemplate: "the mode must precede the template, as in file:PATH?mode=640&format=TEMPLATE"
        case .unexpectedPath(let path): "unexpected \"\(VisibleText.of(path))\" after the host"
        case .unexpectedParameter(let name): "unexpected parameter \"\(VisibleText.of(name))\""
        case .badParameter(let name, let allowed): "the parameter \(name) must be \(allowed)"
        case .topic(let fault): fault.description
        case .ownTracksTopic: "a topic in owntracks needs a user and a device, as in owntracks/USER/DEVICE"
        case .url(let cause): cause
        case .template(let error): error.description
        }
    }

    private static var schemes: String { TargetScheme.all.map(\.prefix).joined(separator: " ") }
}
