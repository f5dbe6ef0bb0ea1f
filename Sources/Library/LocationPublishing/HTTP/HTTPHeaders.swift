import LocationCore

/// The headers of a request or a response, in their order; names are compared without regard to case.
///
/// A name or a value that could end its line is refused when it is set, so that no text from outside can add a header or a
/// request. Descriptions show the values of headers that can hold a secret, such as `Authorization`, as `•••`.
public struct HTTPHeaders: Sendable {
    /// A header.
    public struct Field: Hashable, Sendable {
        /// The name, as it was given.
        public let name: String
        /// The value, without spaces around it.
        public let value: String
    }

    /// The headers in their order.
    public private(set) var fields: [Field] = []
    /// The name of the first header of a literal that cannot be sent.
    private(set) var refused: String?

    /// Creates a list without headers.
    public init() {}

    /// Creates a list of headers, such as `["Content-Type": "application/json"]`.
    public init(_ fields: KeyValuePairs<String, String>) throws(HTTPError) {
        for (name, value) in fields { try add(name, value) }
    }

    /// The value of the first header with a name, or `nil` if there is none.
    public subscript(name: String) -> String? {
        fields.first { Self.areSame($0.name, name) }?.value
    }

    /// Returns the values of all headers with a name, in their order.
    public func values(of name: String) -> [String] {
        fields.filter { Self.areSame($0.name, name) }.map(\.value)
    }

    /// Adds a header after the others.
    public mutating func add(_ name: String, _ value: String) throws(HTTPError) {
        guard Self.isToken(name) else { throw .invalidHeader(name: name) }
        guard value.utf8.allSatisfy(Self.isValueByte) else { throw .invalidHeader(name: name) }
        append(name, value)
    }

    /// Sets the only header with a name, in the place of the first one.
    public mutating func set(_ name: String, _ value: String) throws(HTTPError) {
        let place = fields.firstIndex { Self.areSame($0.name, name) }
        try add(name, value)
        guard let place else { return }
        let field = fields.removeLast()
        remove(name)
        fields.insert(field, at: place)
    }

    /// Removes all headers with a name.
    public mutating func remove(_ name: String) {
        fields.removeAll { Self.areSame($0.name, name) }
    }

    /// Sets the `Authorization` of a user with a password.
    public mutating func setBasicAuthorization(user: String, password: String) throws(HTTPError) {
        // A colon would end the user name (RFC 7617).
        guard !user.utf8.contains(UInt8(ascii: ":")) else { throw .invalidHeader(name: "Authorization") }
        try set("Authorization", "Basic " + Base64.encode(Array("\(user):\(password)".utf8)))
    }

    /// Sets the `Authorization` of the bearer of a token.
    public mutating func setBearerAuthorization(token: String) throws(HTTPError) {
        try set("Authorization", "Bearer " + token)
    }

    /// Adds a header that was received, whatever its value.
    package mutating func append(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: Self.trimmed(value)))
    }

    /// Appends text to the value of the last header, which a server can continue on a line that begins with a space.
    package mutating func continueLast(_ text: String) {
        guard let last = fields.popLast() else { return }
        append(last.name, last.value + " " + Self.trimmed(text))
    }

    // MARK: Rules

    /// Whether the value of a header can be a secret: it holds credentials, or its name says that it does.
    static func isSecret(_ name: String) -> Bool {
        let name = name.lowercased()
        return ["auth", "cookie", "token", "key", "secret", "password", "credential", "session"].contains {
            name.containsBytes(of: $0)
        }
    }

    static func areSame(_ left: String, _ right: String) -> Bool {
        left.utf8.count == right.utf8.count
            && zip(left.utf8, right.utf8).allSatisfy { lowercased($0) == lowercased($1) }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    /// Whether a text is a token of RFC 9110, which is what a name may be.
    private static func isToken(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy { $0.isLetterOrDigit || "!#$%&'*+-.^_`|~".utf8.contains($0) }
    }

    /// Whether a byte may be in a value: text, and tabs.
    private static func isValueByte(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != 0x7F || byte == UInt8(ascii: "\t")
    }

    private static func trimmed(_ text: String) -> String {
        func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        var rest = Substring(text).utf8.drop(while: isSpace)
        while let last = rest.last, isSpace(last) { rest.removeLast() }
        return String(Substring(rest))
    }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    /// Creates a list of headers, such as `["Content-Type": "application/json"]`.
    ///
    /// A header that cannot be sent is left out, and a request with the list fails with the code `invalidHeader`, before
    /// anything is sent.
    public init(dictionaryLiteral fields: (String, String)...) {
        for (name, value) in fields {
            do throws(HTTPError) { try add(name, value) } catch { refused = refused ?? name }
        }
    }
}

extension HTTPHeaders: Hashable {
    /// Whether two lists have the same headers in the same order; names are compared without regard to case.
    public static func == (left: HTTPHeaders, right: HTTPHeaders) -> Bool {
        left.refused == right.refused && left.fields.count == right.fields.count
            && zip(left.fields, right.fields).allSatisfy { areSame($0.name, $1.name) && $0.value == $1.value }
    }

    /// Hashes the headers.
    public func hash(into hasher: inout Hasher) {
        for field in fields {
            hasher.combine(field.name.lowercased())
            hasher.combine(field.value)
        }
    }
}

extension HTTPHeaders.Field: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The header as a line, with `•••` in place of a value that can be a secret.
    public var description: String {
        "\(VisibleText.of(name)): \(HTTPHeaders.isSecret(name) ? "•••" : VisibleText.of(value))"
    }

    /// The same as `description`.
    public var debugDescription: String { description }

    /// A mirror that shows the description.
    public var customMirror: Mirror { Mirror(self, children: ["field": description]) }
}

extension HTTPHeaders: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The headers as lines, with `•••` in place of values that can be secrets.
    public var description: String { fields.map(\.description).joined(separator: "\n") }

    /// The headers in brackets, with `•••` in place of values that can be secrets.
    public var debugDescription: String { "[\(fields.map(\.description).joined(separator: ", "))]" }

    /// A mirror that shows the description of each header.
    public var customMirror: Mirror {
        Mirror(self, unlabeledChildren: fields.map(\.description), displayStyle: .collection)
    }
}
