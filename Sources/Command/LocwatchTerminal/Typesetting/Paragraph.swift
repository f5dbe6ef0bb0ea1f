/// Functions that wrap text into lines.
package enum Paragraph {
    package static let width = 80

    /// Returns a text wrapped into indented lines of at most `width` columns; a longer word is broken.
    ///
    /// - Parameter hanging: The indentation of the lines after the first one; by default the same.
    package static func lines(
        _ text: String, indent: Int = 0, hanging: Int? = nil, width: Int = width
    ) -> [String] {
        var lines: [String] = []
        var line = ""
        func margin() -> Int { lines.isEmpty ? indent : hanging ?? indent }
        func room() -> Int { max(1, width - margin()) }
        func add(_ line: some StringProtocol) { lines.append(String(repeating: " ", count: margin()) + line) }
        for word in text.split(separator: " ") {
            if !line.isEmpty, DisplayWidth.of(line) + 1 + DisplayWidth.of(utf8: word.utf8) > room() {
                add(line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
            while DisplayWidth.of(line) > room() {
                var piece = ShortenedText.beginning(of: line, to: room())
                // A wide character is wider than a single column.
                if piece.isEmpty { piece = ShortenedText.beginning(of: line, to: 2) }
                line.unicodeScalars.removeFirst(piece.unicodeScalars.count)
                add(piece)
            }
        }
        if !line.isEmpty { add(line) }
        return lines
    }

    /// Returns a text with figures, wrapped into lines that are indented after the first one; no line ends between a number
    /// and its unit.
    package static func figures(_ text: String, indent: Int, width: Int) -> String {
        var last: Character = " "
        let joined = String(
            text.map { character in
                defer { last = character }
                return character == " " && last.isASCII && last.isNumber ? "\u{A0}" : character
            })
        let wrapped = lines(joined, indent: indent, width: width).joined(separator: "\n")
        return String(wrapped.map { $0 == "\u{A0}" ? " " : $0 }.drop { $0 == " " })
    }

    /// Returns lines of text with those wrapped that are wider than a screen; continuation lines are indented.
    package static func wrapped(_ text: String, indent: Int, width: Int) -> String {
        // On a narrow screen the words need the space of the indentation.
        let indent = indent * 3 > width ? 2 : indent
        return text.split(separator: "\n", omittingEmptySubsequences: false).map { line -> String in
            guard DisplayWidth.of(utf8: line.utf8) > width else { return String(line) }
            let margin = line.prefix { $0 == " " }.count
            return lines(String(line), indent: margin, hanging: max(margin, indent), width: width)
                .joined(separator: "\n")
        }.joined(separator: "\n")
    }

    /// Returns a list of terms, each with its meaning beside it, or below if the term is long or the screen narrow.
    package static func table(
        _ rows: [(term: String, meaning: String)], indent: Int = 2, column: Int, width: Int = width
    ) -> [String] {
        let column = column * 3 > width * 2 ? min(column, indent + 4) : column
        return rows.flatMap { term, meaning -> [String] in
            let text = lines(meaning, indent: column, width: width)
            let front = String(repeating: " ", count: indent) + term
            guard front.count + 2 <= column, let first = text.first else {
                return (front.count > width ? lines(term, indent: indent, width: width) : [front]) + text
            }
            let gap = String(repeating: " ", count: column - front.count)
            return [front + gap + first.dropFirst(column)] + text.dropFirst()
        }
    }
}
