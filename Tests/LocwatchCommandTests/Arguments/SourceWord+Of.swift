@testable import LocwatchArguments

extension SourceWord {
    /// Returns the source of a valid word where no file exists.
    static func of(_ word: String) -> SourceWord {
        guard let source = try? SourceWord(word, exists: { _ in false }) else { preconditionFailure(word) }
        return source
    }
}
