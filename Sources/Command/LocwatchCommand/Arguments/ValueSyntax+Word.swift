import LocwatchArguments
import LocwatchTerminal

extension ValueSyntax {
    /// Returns the syntax of one of several words, which can be cut to a unique prefix.
    ///
    /// It is beside its callers, so that it is specialized: otherwise the program starts with a third more instructions.
    static func word(_ words: KeyValuePairs<String, Value>, placeholder: String? = nil) -> ValueSyntax {
        let known = words.map(\.key)
        let values = words.map(\.value)
        return ValueSyntax(placeholder ?? known.joined(separator: "|"), completion: .words(known)) { text in
            let lowered = text.lowercased()
            let matches = known.indices.filter { known[$0] == lowered }
            let prefixed = matches.isEmpty ? known.indices.filter { known[$0].hasPrefix(lowered) } : matches
            if !text.isEmpty, prefixed.count == 1, let index = prefixed.first { return .success(values[index]) }
            return .failure(
                ValueError(
                    allowed: EnglishList.or(known), suggestion: Spelling.nearest(to: text, among: known)))
        }
    }
}
