/// How the value of an option is written: read, shown in the help, and completed by the shell.
struct ValueSyntax<Value: Sendable>: Sendable {
    /// What stands for the value in the help, such as `DURATION`.
    let placeholder: String
    /// What the shell may offer.
    let completion: ValueCompletion
    /// Reads a value, or tells what would do.
    let read: @Sendable (String) -> Result<Value, ValueError>

    init(
        _ placeholder: String, completion: ValueCompletion = .none,
        read: @escaping @Sendable (String) -> Result<Value, ValueError>
    ) {
        self.placeholder = placeholder
        self.completion = completion
        self.read = read
    }

    /// A syntax whose reader gives `nil` for what will not do.
    init(
        _ placeholder: String, completion: ValueCompletion = .none, allowed: String,
        read: @escaping @Sendable (String) -> Value?
    ) {
        self.init(placeholder, completion: completion) { text in
            read(text).map { .success($0) } ?? .failure(ValueError(allowed: allowed))
        }
    }

    /// One of some words; a unique prefix will do.
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

    /// The same syntax for a value that is made out of what was read.
    func map<Other: Sendable>(_ transform: @escaping @Sendable (Value) -> Other) -> ValueSyntax<Other> {
        ValueSyntax<Other>(placeholder, completion: completion) { read($0).map(transform) }
    }

    /// The same syntax or a word before it.
    func or(_ word: String, _ value: Value) -> ValueSyntax {
        ValueSyntax("\(placeholder)|\(word)", completion: .words([word])) { text in
            if text == word { return .success(value) }
            return read(text).mapError { ValueError(allowed: "\($0.allowed), or \(word)", suggestion: $0.suggestion) }
        }
    }
}

/// What a shell may offer for a value or an operand.
enum ValueCompletion: Hashable, Sendable {
    /// Nothing: only the user knows.
    case none
    /// One of these words.
    case words([String])
    /// A file.
    case file
    /// A serial device under /dev.
    case device
    /// A SOURCE word: simulated receivers, devices, files, hosts.
    case source
    /// A topic of `locwatch help`.
    case topic
}

/// Words in a row, as a sentence has them.
enum EnglishList {
    static func or(_ words: [String]) -> String { joined(words, by: "or") }
    static func and(_ words: [String]) -> String { joined(words, by: "and") }

    private static func joined(_ words: [String], by conjunction: String) -> String {
        guard words.count > 1, let last = words.last else { return words.first ?? "" }
        return "\(words.dropLast().joined(separator: ", ")) \(conjunction) \(last)"
    }
}
