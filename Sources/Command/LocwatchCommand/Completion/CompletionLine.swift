import LocwatchArguments

/// An unfinished command line, up to the cursor.
///
/// It is read like `ArgumentReader` reads a finished one, except that a mistake in it is skipped.
struct CompletionLine {
    /// The unfinished word, without the quotation marks of the shell.
    let word: String
    private(set) var command: CommandName?
    /// The number of operands before the unfinished word.
    private(set) var operands = 0
    /// The options before the unfinished word.
    private(set) var options: Set<OptionName> = []
    /// The names of the fences before the unfinished word.
    private(set) var fences: [String] = []
    /// The option whose value is the unfinished word, unless that follows an equals sign.
    private(set) var awaiting: OptionEntry?
    /// Whether the unfinished word can be an option.
    private(set) var takesOptions = true

    /// Reads a line that begins with the name of the program, or with words before it, such as `sudo`.
    ///
    /// Returns `nil` if the line is too long to be typed, or has no unfinished word after the name of the program.
    init?(_ line: String) {
        guard let words = Self.words(line) else { return nil }
        let program = words.firstIndex { $0 == "locwatch" || $0.hasSuffix("/locwatch") } ?? 0
        guard program < words.count - 1 else { return nil }
        word = words[words.count - 1]
        read(words[(program + 1)..<(words.count - 1)])
    }

    /// Returns the words of a line, the last of which is empty after a space; it can lack its closing quotation mark.
    static func words(_ line: String) -> [String]? {
        // Words are found in a time that grows with the square of their length.
        guard line.utf8.count <= 8_192 else { return nil }
        for mark in ["", "'", "\""] {
            // The full stop belongs to the unfinished word, and stands for it after a space or a backslash.
            guard let words = ShellWords.split("\(line).\(mark)"), let last = words.last else { continue }
            return words.dropLast() + [String(decoding: last.utf8.dropLast(), as: UTF8.self)]
        }
        return nil
    }

    /// Returns the option with a name that can be cut to a unique prefix.
    func option(long name: some StringProtocol) -> OptionEntry? {
        let command = command ?? CommandTable.standard
        if let exact = OptionTable.all.first(where: { $0.long == name }) { return exact }
        let matches = OptionTable.all.filter { $0.long.hasPrefix(name) && $0.isTaken(by: command) }
        return matches.count == 1 ? matches[0] : nil
    }

    private mutating func read(_ words: ArraySlice<String>) {
        var rest = words
        while let word = rest.popFirst() {
            if !takesOptions || !word.hasPrefix("-") || word == "-" {
                readOperand(word)
            } else if word == "--" {
                takesOptions = false
            } else if word.hasPrefix("--") {
                readLong(word, &rest)
            } else {
                readBundle(word.dropFirst(), &rest)
            }
        }
    }

    private mutating func readOperand(_ word: String) {
        if command == nil, operands == 0, takesOptions, let name = CommandName(rawValue: word) {
            command = name
            return
        }
        operands += 1
        if command?.entry.operands.firstIndex(where: { $0.kind == .rest }) == operands { takesOptions = false }
    }

    private mutating func readLong(_ word: String, _ rest: inout ArraySlice<String>) {
        let name = word.prefix { $0 != "=" }
        guard let option = option(long: name) else { return }
        if name.endIndex < word.endIndex {
            note(option, word[name.endIndex...].dropFirst())
        } else {
            take(option, &rest)
        }
    }

    private mutating func readBundle(_ letters: Substring, _ rest: inout ArraySlice<String>) {
        var letters = letters
        while let letter = letters.popFirst() {
            guard let option = OptionTable.all.first(where: { $0.short == letter }) else { continue }
            if option.form != nil, !letters.isEmpty { return note(option, letters) }
            take(option, &rest)
        }
    }

    /// Notes an option whose value, if any, is the next word.
    private mutating func take(_ option: OptionEntry, _ rest: inout ArraySlice<String>) {
        let value = option.form == nil ? "" : rest.popFirst()
        if value == nil { awaiting = option }
        note(option, value?[...] ?? "")
    }

    private mutating func note(_ option: OptionEntry, _ value: Substring) {
        options.insert(option.name)
        let fence = value.prefix { $0 != "=" }
        if option.name == "fence", !fence.isEmpty { fences.append(String(fence)) }
    }
}
