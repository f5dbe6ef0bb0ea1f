public import LocationCore

/// A text with `%{name}` in the place of each value of a record, such as `lat=%{lat}&lon=%{lon:.5}`.
///
/// The language and the names are those of the templates of `locwatch watch`, as far as a record has the value, with some
/// names about the record itself; the manual of `locwatch publish` lists them.
public struct PublishTemplate: Hashable, Sendable {
    private let template: Template

    static let fields = RecordField.reported + RecordField.ofRecord + RecordField.inTemplates

    private static let fieldNames = TemplateNames(
        fields.map(\.name), numbers: Set(fields.indices.filter { fields[$0].hasDecimals }))

    /// The names of all values, in alphabetical order.
    package static let names = fieldNames.sorted

    /// Parses a template.
    public init(_ text: String) throws(InvalidValue) { template = try Template(text, Self.fieldNames) }

    var pieces: [Template.Piece] { template.pieces }

    /// Returns whether a record has each value that has no text for the case that it is unknown.
    func isComplete(for record: PublishRecord) -> Bool {
        !pieces.enumerated().contains { number, piece in
            guard case .value(let index, _) = piece, template.fallbacks[number] == nil else { return false }
            return Self.fields[index].value(record) == nil
        }
    }

    package var hasValues: Bool {
        pieces.contains { if case .value = $0 { true } else { false } }
    }

    /// Returns the text for a record.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - escaped: Returns the form that the escape needs at the piece with an index.
    ///   - encoded: Returns the form that a value, if it is known, needs at the piece with an index.
    func text(
        for record: PublishRecord, escaped: (_ piece: Int, Template.Escape) -> String = { $1.text },
        encoded: (_ piece: Int, RecordValue?, String) -> String
    ) -> String {
        var text = ""
        for (number, piece) in pieces.enumerated() {
            switch piece {
            case .text(let literal): text += literal
            case .escape(let escape): text += escaped(number, escape)
            case .value(let index, let decimals):
                let value = Self.fields[index].value(record)
                if value == nil, let fallback = template.fallbacks[number] {
                    text += fallback
                    continue
                }
                text += encoded(number, value, value?.text(decimals: decimals) ?? "")
            case .code, .fence: break  // Only the templates of positions take codes and fences.
            }
        }
        return text
    }

    /// Returns the text for a record with percent-encoded values; an unknown one is empty.
    package func urlEncoded(_ record: PublishRecord) -> String {
        text(for: record) { _, _, text in PercentEncoding.encode(text) }
    }
}
