package import LocationCore
package import LocwatchArguments

/// The advice on failures, each piece of which is given once.
package struct GivenAdvice {
    private var given: Set<String> = []
    private let source: SourceWord

    /// Creates advice for sessions of a source.
    package init(for source: SourceWord) { self.source = source }

    /// Returns the advice on a failure, if it was not given before.
    package mutating func take(on error: LocationError) -> String? {
        ErrorText(error, of: source).advice.flatMap { given.insert($0).inserted ? $0 : nil }
    }
}

extension FailureRun {
    /// A message with the number of attempts, or `nil` if the failure was not repeated.
    package var countText: String? { count > 1 ? "\(ErrorText(error).message): failed \(count) times" : nil }
}
