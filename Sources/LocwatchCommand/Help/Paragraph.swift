/// Text that is broken into lines.
enum Paragraph {
    static let width = 80

    /// Words in lines of at most `width` columns, each behind an indentation.
    static func lines(_ text: String, indent: Int = 0, width: Int = width) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, indent + line.count + 1 + word.count > width {
                lines.append(line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        if !line.isEmpty { lines.append(line) }
        return lines.map { String(repeating: " ", count: indent) + $0 }
    }

    /// A list of terms, each with its meaning beside it, or below where the term is long.
    static func table(_ rows: [(term: String, meaning: String)], indent: Int = 2, column: Int) -> [String] {
        rows.flatMap { term, meaning -> [String] in
            let text = lines(meaning, indent: column)
            let front = String(repeating: " ", count: indent) + term
            guard front.count + 2 <= column, let first = text.first else { return [front] + text }
            let gap = String(repeating: " ", count: column - front.count)
            return [front + gap + first.dropFirst(column)] + text.dropFirst()
        }
    }
}
