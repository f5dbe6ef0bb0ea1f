import LocationCore

/// The template of a body, whose values have the form that the body needs.
struct BodyTemplate: Hashable, Sendable {
    /// A kind of body.
    enum Form: Hashable, Sendable {
        /// JSON: outside of strings, texts are quoted and unknown values are null.
        case json
        /// The fields of a form: values are percent-encoded.
        case form
        /// Another text: values are escaped as in a JSON string, without quotes.
        case text

        var contentType: String {
            switch self {
            case .json: "application/json"
            case .form: "application/x-www-form-urlencoded"
            case .text: "text/plain; charset=utf-8"
            }
        }
    }

    let template: PublishTemplate
    let form: Form
    /// The numbers of the values and escapes inside strings of JSON.
    private let inStrings: Set<Int>

    /// Creates a template; its form follows from the type of the body, or from how the text begins.
    init(_ template: PublishTemplate, contentType: String?) {
        self.template = template
        let isObject =
            if case .text(let start)? = template.pieces.first,
                let first = start.utf8.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) })
            {
                "{[".utf8.contains(first)
            } else {
                false
            }
        let isForm = contentType?.lowercased().containsBytes(of: "x-www-form-urlencoded") ?? false
        form = if isForm { .form } else if isObject { .json } else { .text }
        inStrings = form == .json ? Self.piecesInStrings(template.pieces) : []
    }

    func body(for record: PublishRecord) -> [UInt8] {
        let text = template.text(for: record) { number, escape in
            // JSON has the same escapes in its strings.
            inStrings.contains(number) ? escape.rawValue : escape.text
        } encoded: { number, value, text in
            switch form {
            case .form: return PercentEncoding.encode(text)
            case .text: return Self.escaped(text)
            case .json:
                if inStrings.contains(number) { return Self.escaped(text) }
                return switch value {
                case nil: "null"
                case .time, .word, .mark: JSONText.quoted(text)
                case .coordinate, .number, .count: text
                }
            }
        }
        return Array(text.utf8)
    }

    /// Returns the body for a record, or `nil` if the record lacks a value.
    func completeBody(for record: PublishRecord) -> [UInt8]? {
        template.isComplete(for: record) ? body(for: record) : nil
    }

    /// Returns text as it stands between the quotes of a JSON string.
    private static func escaped(_ text: String) -> String { String(JSONText.quoted(text).dropFirst().dropLast()) }

    private static func piecesInStrings(_ pieces: [Template.Piece]) -> Set<Int> {
        var numbers: Set<Int> = []
        var (isInString, isEscaped) = (false, false)
        for (number, piece) in pieces.enumerated() {
            guard case .text(let text) = piece else {
                if isInString { numbers.insert(number) }
                continue
            }
            for byte in text.utf8 {
                if isEscaped {
                    isEscaped = false
                } else if isInString, byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString.toggle()
                }
            }
        }
        return numbers
    }
}
