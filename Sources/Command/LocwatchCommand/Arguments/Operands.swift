import LocationGPSD
import LocationPublishing
import LocwatchArguments
import LocwatchTerminal

/// The operands of an invocation, consumed one after the other.
struct Operands {
    private let command: CommandName
    private let isNamed: Bool
    private let all: [String]
    private var words: ArraySlice<String>
    private var taken = 0
    /// The lines about words of an earlier release.
    private(set) var notices: [String] = []

    init(command: CommandName, words: [String], isNamed: Bool) {
        self.command = command
        self.isNamed = isNamed
        all = words
        self.words = words[...]
    }

    var hasWords: Bool { !words.isEmpty }

    mutating func next() -> String? {
        guard let word = words.popFirst() else { return nil }
        taken += 1
        return word
    }

    /// Returns the next word; throws if there is none or it is empty.
    mutating func required() throws(UsageError) -> String {
        let operand = command.entry.operands[taken]
        guard let word = next(), !word.isEmpty else {
            throw UsageError("\(command.rawValue) needs a \(operand.placeholder): \(command.entry.usage)")
        }
        return word
    }

    /// Returns all words that are left; throws if there is none.
    mutating func rest() throws(UsageError) -> [String] {
        var rest = [try required()]
        while let word = next() { rest.append(word) }
        return rest
    }

    /// Returns the next word; throws if the operand has a list of words, and it is not one of them.
    mutating func word() throws(UsageError) -> String {
        let operand = command.entry.operands[taken]
        let text = try required()
        if let new = operand.formerWords[text.lowercased()] {
            notices.append(FormerNotice.text("\(command) \(text.lowercased())", "write \(command) \(new)"))
            return new
        }
        guard case .words(let known) = operand.completion else { return text }
        guard known.contains(text.lowercased()) else {
            let suggestion = Spelling.nearest(to: text, among: known)
            throw UsageError(allowed: EnglishList.or(known), suggestion: suggestion).named(operand.placeholder, text)
        }
        return text.lowercased()
    }

    /// Returns the source from the argument, else from the variable, else from the configuration, else the gpsd on this
    /// machine.
    mutating func source(
        _ environment: [String: String], _ configured: (word: String, spelling: String)?, _ exists: (String) -> Bool
    ) throws(UsageError) -> SourceWord {
        if let word = next() {
            guard !word.isEmpty else { throw UsageError("SOURCE is empty") }
            return try SourceWord(word, exists: exists)
        }
        if let word = environment["LOCWATCH_SOURCE"], !word.isEmpty {
            do throws(UsageError) { return try SourceWord(word, exists: exists) } catch {
                throw UsageError("LOCWATCH_SOURCE: \(error.message)")
            }
        }
        guard let configured else { return .standard }
        do throws(UsageError) { return try SourceWord(configured.word, exists: exists) } catch {
            throw UsageError(configuration: "\(configured.spelling): \(error.message)")
        }
    }

    /// Returns the target from the argument.
    ///
    /// - Parameter isNeeded: Whether no option names a target; otherwise a word that has no target's scheme is the SOURCE.
    mutating func target(isNeeded: Bool) throws(UsageError) -> TargetWord? {
        if !isNeeded, words.first.map(TargetScheme.isNamed(by:)) != true { return nil }
        let word = try required()
        do throws(PublishError) {
            return try TargetWord(word)
        } catch {
            throw UsageError("invalid TARGET: \(error.message)")
        }
    }

    /// Consumes the next word if it is a given one, and returns whether it is.
    mutating func take(_ word: String) -> Bool {
        guard words.first == word else { return false }
        _ = next()
        return true
    }

    /// Returns the target that the next word names, or `nil` if the word is a SOURCE, such as a broker with a filter of
    /// topics, or datagrams that arrive at this machine: nothing can be found out about those that are sent to it.
    mutating func targetIfAny(_ exists: (String) -> Bool) throws(UsageError) -> TargetWord? {
        guard let word = words.first, TargetScheme.isNamed(by: word) else { return nil }
        let source = try? SourceWord(word, exists: exists)
        if source != nil, (try? TargetWord(word)) == nil { return nil }
        if let stream = source?.stream, stream.scheme == .udp, stream.isOfThisMachine { return nil }
        return try target(isNeeded: true)
    }

    func end() throws(UsageError) {
        guard let word = words.first else { return }
        let entry = command.entry
        if !isNamed, let first = all.first,
            let meant = Spelling.nearest(to: first, among: CommandName.allCases.map(\.rawValue))
        {
            throw UsageError(unknownCommand: first, meant: meant)
        }
        let count = entry.operands.count
        let takes = count == 0 ? "no arguments" : entry.operands.map(\.placeholder).joined(separator: " and ") + " only"
        throw UsageError("unexpected argument \"\(word.printable)\": \(command.rawValue) takes \(takes)")
    }
}
