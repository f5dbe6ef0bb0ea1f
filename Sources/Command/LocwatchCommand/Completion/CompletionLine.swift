import LocwatchArguments

/// An unfinished command line, up to the cursor.
struct CompletionLine {
    /// The unfinished word, without the quotation marks of the shell.
    let word: String
    /// The words before it, in which mistakes are passed over.
    let before: ArgumentReader

    /// Reads a line that begins with the name of the program, or with words before it, such as `sudo`.
    ///
    /// Returns `nil` if the line is too long to be typed, or has no unfinished word after the name of the program.
    init?(_ line: String) {
        guard let words = Self.words(line) else { return nil }
        let program = words.firstIndex { $0 == "locwatch" || $0.hasSuffix("/locwatch") } ?? 0
        guard program < words.count - 1 else { return nil }
        word = words[words.count - 1]
        before = ArgumentReader(words[(program + 1)..<(words.count - 1)])
    }

    /// The options before the unfinished word.
    var options: Set<OptionName> { Set(before.given.map(\.option.name)) }

    /// The names of the fences before the unfinished word.
    var fences: [Substring] {
        before.given.filter { $0.option.name == "fence" }.compactMap { $0.value?.prefix { $0 != "=" } }
            .filter { !$0.isEmpty }
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
}
