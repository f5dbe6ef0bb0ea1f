import LocationCore

/// A reader of the words of one line, which knows their places.
struct WordReader {
    struct Word {
        var text: String
        var column: Int
        var line: Int?

        func fault(_ reason: String) -> StandInSyntaxError {
            StandInSyntaxError(line: line, column: column, reason: "\(reason), not \(JSONText.quoted(shown))")
        }

        /// Returns the error for a word that is not in a table.
        func unknown(_ kind: String, known: [String]) -> StandInSyntaxError {
            StandInSyntaxError(
                line: line, column: column,
                reason: "unknown \(kind) \(JSONText.quoted(shown)); the \(kind)s are \(known.joined(separator: ", "))")
        }

        /// The word as a message shows it.
        private var shown: String { text.count > 40 ? text.prefix(40) + "…" : text }
    }

    private var words: ArraySlice<Word>
    private let line: Int?
    private let endColumn: Int

    /// Splits a text at spaces and tabs.
    init(_ text: Substring, line: Int?) {
        self.line = line
        var words: [Word] = []
        var column = 1
        var current: Word?
        for character in text {
            if character == " " || character == "\t" {
                if let word = current { words.append(word) }
                current = nil
            } else if current == nil {
                current = Word(text: String(character), column: column, line: line)
            } else {
                current?.text.append(character)
            }
            column += 1
        }
        if let word = current { words.append(word) }
        self.words = words[...]
        endColumn = column
    }

    var hasMore: Bool { !words.isEmpty }
    /// The next word, which stays the next one.
    var next: String? { words.first?.text }

    mutating func word(_ expected: String) throws(StandInSyntaxError) -> Word {
        guard let word = words.popFirst() else {
            throw StandInSyntaxError(line: line, column: endColumn, reason: "expected \(expected)")
        }
        return word
    }

    mutating func number(_ expected: String, in range: ClosedRange<Int>) throws(StandInSyntaxError) -> Int {
        let word = try word(expected)
        guard word.text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let number = Int(word.text), range ~= number else {
            throw word.fault("expected \(expected) from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    mutating func duration(
        _ expected: String, atMost limit: Duration? = nil
    ) throws(StandInSyntaxError) -> Duration {
        let word = try word(expected)
        guard let duration = DurationText.read(word.text), limit.map({ duration <= $0 }) ?? true else {
            throw word.fault("expected \(expected)")
        }
        return duration
    }

    /// Reads `NAME[=VALUE][@TIME][/EVERY][~SEED]`.
    mutating func faultStep() throws(StandInSyntaxError) -> StandInStep {
        let names = StandInFaultName.all.map(\.name)
        let word = try word("a fault: \(names.joined(separator: ", "))")
        var parts: [Character: String] = [:]
        var name = ""
        var sign: Character?
        for character in word.text {
            if "=@/~".contains(character), parts[character] == nil {
                sign = character
                parts[character] = ""
            } else if let sign {
                parts[sign, default: ""].append(character)
            } else {
                name.append(character)
            }
        }
        guard let entry = StandInFaultName.all.first(where: { $0.name == name }) else {
            throw word.unknown("fault", known: names)
        }
        guard let fault = entry.fault(parts["="]) else { throw word.fault("expected \(entry.allowed)") }
        var step = StandInStep(.fault(fault, name: name))
        if let text = parts["@"] {
            guard let time = DurationText.read(text) else { throw word.fault("expected a time such as 10s after @") }
            step.time = time
        }
        if let text = parts["/"] {
            guard let interval = StandInFaultName.positive(text) else {
                throw word.fault("expected an interval such as 5s after /, at least 1ms")
            }
            step.interval = interval
        }
        if let text = parts["~"] {
            guard let seed = UInt64(text), text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else {
                throw word.fault("expected a seed such as 7 after ~")
            }
            step.seed = seed
            step.interval = step.interval ?? StandInStep.randomInterval
        }
        if parts["@"] == nil, step.interval != nil, step.seed == nil { step.time = step.interval ?? .zero }
        return step
    }

    /// Reads `[at TIME] WORD ARGUMENTS`, up to the end of the line.
    ///
    /// - Parameter isScript: Whether only words of scripts are allowed.
    mutating func step(isScript: Bool) throws(StandInSyntaxError) -> StandInStep {
        let words = StandInWord.all.filter { $0.isForScripts || !isScript }
        let names = words.map(\.name)
        var start = Duration.zero
        if next == "at" {
            _ = try word("at")
            start = try duration("a time such as 10s after at")
        }
        let first = try word("a word: \(names.joined(separator: ", "))")
        guard let entry = words.first(where: { $0.name == first.text }) else {
            if StandInWord.all.contains(where: { $0.name == first.text }) {
                throw first.fault("expected a word for scripts (\(names.joined(separator: ", ")))")
            }
            throw first.unknown("word", known: names)
        }
        var step = try entry.parse(&self)
        if let extra = self.words.first { throw extra.fault("expected the end after \(entry.usage)") }
        if start > .zero, !entry.isForScripts { throw first.fault("expected a word for scripts after a time") }
        step.time += start
        return step
    }
}
