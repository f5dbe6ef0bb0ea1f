@testable import LocwatchArguments

extension SourceWord {
    /// Returns the word of a serial receiver.
    static func serial(path: String, speed: Int? = nil, corrections: String? = nil) -> SourceWord {
        let parameters = [speed.map { "speed=\($0)" }, corrections.map { "corrections=\($0)" }].compactMap(\.self)
        let word = "serial:\(path)" + (parameters.isEmpty ? "" : "?" + parameters.joined(separator: "&"))
        guard let source = try? SourceWord(word, exists: { _ in false }) else { preconditionFailure(word) }
        return source
    }
}
