import LocationCore

/// A text with `%{name}` in the place of each value of a record, such as `lat=%{lat}&lon=%{lon:.5}`.
///
/// The names are those of the templates of `locwatch watch`, as far as a record has the value, and some about the record
/// itself: ``names`` lists them. `%%` is a percent sign, and so is one that no brace follows, because the codes of addresses
/// begin with one.
public struct PublishTemplate: Hashable, Sendable {
    enum Piece: Hashable, Sendable {
        case text(String)
        /// A field, by its index, with the requested number of decimals, if any.
        case field(Int, decimals: Int?)
    }

    let pieces: [Piece]

    static let fields = RecordField.reported + RecordField.ofRecord + RecordField.inTemplates

    /// The names of all values, in alphabetical order.
    public static let names = fields.map(\.name).sorted { $0.lowercased() < $1.lowercased() }

    /// The maximum number of decimals of a number.
    private static let mostDecimals = 12

    /// Parses a template.
    public init(_ text: String) throws(PublishTemplateError) {
        var pieces: [Piece] = []
        var literal = ""
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            guard scalar == "%" else {
                literal.unicodeScalars.append(scalar)
                continue
            }
            if rest.first == "%" {
                rest.removeFirst()
                literal += "%"
            } else if rest.first == "{" {
                guard let end = rest.firstIndex(of: "}") else { throw .unclosed }
                if !literal.isEmpty { pieces.append(.text(literal)) }
                literal = ""
                pieces.append(try Self.field(String(rest[..<end].dropFirst())))
                rest = rest[rest.index(after: end)...]
            } else {
                literal += "%"
            }
        }
        if !literal.isEmpty { pieces.append(.text(literal)) }
        self.pieces = pieces
    }

    /// Parses the text between the braces: a name, optionally followed by a colon and the decimals.
    private static func field(_ text: String) throws(PublishTemplateError) -> Piece {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts.first.map(String.init) ?? ""
        guard let index = fields.firstIndex(where: { $0.name == name }) else { throw .unknownName(name) }
        guard parts.count == 2 else { return .field(index, decimals: nil) }
        let digits = parts[1].dropFirst()
        guard fields[index].hasDecimals, parts[1].first == ".", let decimals = UInt8(digits), decimals <= mostDecimals,
            digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 })
        else { throw .decimals(name) }
        return .field(index, decimals: Int(decimals))
    }

    /// Whether the template has a value.
    public var hasValues: Bool {
        pieces.contains { if case .field = $0 { true } else { false } }
    }

    /// Returns the text for a record; `escape` gives each value, if it is known, the form that it needs in its place.
    func text(for record: PublishRecord, escape: (_ piece: Int, RecordValue?, String) -> String) -> String {
        var text = ""
        for (number, piece) in pieces.enumerated() {
            switch piece {
            case .text(let literal): text += literal
            case .field(let index, let decimals):
                let value = Self.fields[index].value(record)
                text += escape(number, value, value?.text(decimals: decimals) ?? "")
            }
        }
        return text
    }

    /// Returns the text for a record with percent-encoded values; an unknown one is empty.
    public func urlEncoded(_ record: PublishRecord) -> String {
        text(for: record) { _, _, text in PercentEncoding.encode(text) }
    }
}

/// A reason for which a text is not a template.
public enum PublishTemplateError: Error, Hashable, Sendable {
    /// No value has this name.
    case unknownName(String)
    /// A `%{` has no `}`.
    case unclosed
    /// The decimals of a value are not a point and a number up to 12, or the value has none.
    case decimals(String)
}

extension PublishTemplateError: CustomStringConvertible {
    /// A message for people.
    public var description: String {
        switch self {
        case .unknownName(let name):
            "unknown name %{\(VisibleText.of(name))}; the names are \(PublishTemplate.names.joined(separator: " "))"
        case .unclosed: "a } is missing after %{"
        case .decimals(let name):
            "expected %{\(name)} or, for a number, %{\(name):.DECIMALS} with up to 12 decimals"
        }
    }
}
