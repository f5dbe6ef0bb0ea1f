/// The syntax of an option's value: its parser, its placeholder in the help, and its shell completion.
package struct ValueSyntax<Value: Sendable>: Sendable {
    let placeholder: String
    package let completion: ValueCompletion
    /// Parses a value, or throws the reason why it is invalid.
    package let read: @Sendable (String) throws(UsageError) -> Value

    package init(
        _ placeholder: String, completion: ValueCompletion = .none,
        read: @escaping @Sendable (String) throws(UsageError) -> Value
    ) {
        self.placeholder = placeholder
        self.completion = completion
        self.read = read
    }

    /// Creates a syntax whose parser returns `nil` for an invalid value.
    init(
        _ placeholder: String, completion: ValueCompletion = .none, allowed: String,
        read: @escaping @Sendable (String) -> Value?
    ) {
        self.init(placeholder, completion: completion) { text throws(UsageError) in
            guard let value = read(text) else { throw UsageError(allowed: allowed) }
            return value
        }
    }

    package func map<Other: Sendable>(_ transform: @escaping @Sendable (Value) -> Other) -> ValueSyntax<Other> {
        ValueSyntax<Other>(placeholder, completion: completion) { text throws(UsageError) in transform(try read(text)) }
    }

    /// Returns the same syntax with one more accepted word.
    package func or(_ word: String, _ value: Value) -> ValueSyntax {
        ValueSyntax("\(placeholder)|\(word)", completion: .words([word])) { text throws(UsageError) in
            if text == word { return value }
            do throws(UsageError) { return try read(text) } catch {
                var error = error
                error.message += ", or \(word)"
                throw error
            }
        }
    }
}

/// The shell completion of a value or an operand.
package enum ValueCompletion: Hashable, Sendable {
    case none
    case words([String])
    case file
    /// A file whose name ends like one of these, or a folder.
    case fileEnding([String])
    /// A serial device under /dev.
    case device
    /// A SOURCE word: simulated receivers, devices, files, hosts.
    case source
    /// A topic of `locwatch help`.
    case topic
    /// The event and the command of a hook.
    case hook
}

/// Lists of words in a sentence.
package enum EnglishList {
    package static func or(_ words: [String]) -> String { joined(words, by: "or") }
    package static func and(_ words: [String]) -> String { joined(words, by: "and") }

    private static func joined(_ words: [String], by conjunction: String) -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return "\(words.dropLast().joined(separator: ", ")) \(conjunction) \(last)"
    }
}
