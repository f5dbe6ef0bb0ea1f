import LocationCore

/// A reader of the words of one line, which knows their places.
struct WordReader {
    struct Word {
        var text: String
        var column: Int
        var line: Int?
        /// The whole word, if the text is a part of it.
        var whole: String?

        func fault(_ reason: String) -> SimulationError {
            SimulationError(line: line, column: column, reason: "\(reason), not \(JSONText.quoted(shown))")
        }

        /// Returns the error for a word that is not in a table.
        func unknown(_ kind: String, known: [String]) -> SimulationError {
            SimulationError(
                line: line, column: column,
                reason: "unknown \(kind) \(JSONText.quoted(shown)); the \(kind)s are \(known.joined(separator: ", "))")
        }

        /// The word as a message shows it.
        private var shown: String {
            let text = whole ?? text
            return text.count > 40 ? text.prefix(40) + "…" : text
        }
    }

    private let text: Substring
    /// The text from the next word on, or `nil` at the end.
    private var rest: Substring?
    private let line: Int?
    /// The word whose part is read, if the reader is not that of a line.
    private var whole: Word?

    /// Creates a reader of a line, whose words are separated by spaces and tabs.
    init(_ text: Substring, line: Int?) {
        self.text = text
        self.line = line
        skipSpace(from: text)
    }

    /// Creates a reader of a part of a word, if the word has it; errors show the whole word.
    private init(_ part: String?, of word: Word) {
        (text, line, whole) = ("", word.line, word)
        rest = part.map { $0[...] }
    }

    private mutating func skipSpace(from text: Substring) {
        let words = text.drop(while: Self.isSpace)
        rest = words.isEmpty ? nil : words
    }

    private static func isSpace(_ character: Character) -> Bool { character == " " || character == "\t" }

    var hasMore: Bool { rest != nil }
    /// The next word, which stays the next one.
    var next: Substring? { rest?.prefix { !Self.isSpace($0) } }

    mutating func word(_ expected: String) throws(SimulationError) -> Word {
        guard let rest, let next else {
            throw whole?.fault("expected \(expected)")
                ?? SimulationError(line: line, column: text.count + 1, reason: "expected \(expected)")
        }
        skipSpace(from: rest[next.endIndex...])
        let column = whole?.column ?? text.distance(from: text.startIndex, to: next.startIndex) + 1
        return Word(text: String(next), column: column, line: line, whole: whole?.text)
    }

    mutating func number(_ expected: String, in range: ClosedRange<Int>) throws(SimulationError) -> Int {
        let word = try word(expected)
        guard let number: Int = Self.digits(in: word.text), range ~= number else {
            throw word.fault("expected \(expected) from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    mutating func duration(
        _ expected: String, atLeast least: Duration = .zero, atMost most: Duration? = nil
    ) throws(SimulationError) -> Duration {
        let word = try word(expected)
        guard let duration = DurationText.read(word.text), duration >= least, most.map({ duration <= $0 }) ?? true
        else { throw word.fault("expected \(expected)") }
        return duration
    }

    /// Returns the number of a text that consists of digits.
    private static func digits<Number: FixedWidthInteger>(in text: String) -> Number? {
        text.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? Number(text) : nil
    }

    /// Reads `NAME[=VALUE][@TIME][/EVERY][~SEED]`.
    mutating func faultStep() throws(SimulationError) -> StandInStep {
        let names = StandInWord.faults.map(\.name)
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
        guard let fault = StandInWord.faults.first(where: { $0.name == name }) else {
            throw word.unknown("fault", known: names)
        }
        func part(_ sign: Character) -> WordReader { WordReader(parts[sign], of: word) }
        var (value, time, interval) = (part("="), part("@"), part("/"))
        var step = try fault.parse(&value)
        if value.hasMore { throw word.fault("expected \(name) without a value") }
        if time.hasMore { step.time = try time.duration("a time such as 10s after @") }
        if interval.hasMore {
            step.interval = try interval.duration(
                "an interval such as 5s after /, at least 1ms", atLeast: .milliseconds(1))
        }
        if let text = parts["~"] {
            guard let seed: UInt64 = Self.digits(in: text) else {
                throw word.fault("expected a seed such as 7 after ~")
            }
            step.seed = seed
            step.interval = step.interval ?? StandInStep.randomInterval
        }
        if parts["@"] == nil, step.seed == nil, let interval = step.interval { step.time = interval }
        return step
    }

    /// Reads `[at TIME] WORD ARGUMENTS`, up to the end of the line.
    ///
    /// - Parameter isScript: Whether only words of scripts are allowed.
    mutating func step(isScript: Bool) throws(SimulationError) -> StandInStep {
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
        if hasMore { throw try word("").fault("expected the end after \(entry.usage)") }
        if start > .zero, !entry.isForScripts { throw first.fault("expected a word for scripts after a time") }
        step.time += start
        return step
    }
}
