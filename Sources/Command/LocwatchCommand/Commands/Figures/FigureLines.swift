import LocationCore
import LocwatchTerminal

/// Lines of figures for people: labels on the left, figures on the right, and a line feed at the end of each.
struct FigureLines {
    let style: TextStyle
    private(set) var out = TextBuffer()

    private static let indent = 14

    /// Adds a line for each phrase, the first of which has the label.
    mutating func add(_ label: String, _ phrases: [Phrase]) {
        for (index, phrase) in phrases.enumerated() { add(index == 0 ? label : "", phrase) }
    }

    private mutating func add(_ label: String, _ phrase: Phrase) {
        out.put(label, in: .faint, if: style.usesColor && !label.isEmpty)
        out.put(repeating: UInt8(ascii: " "), count: max(1, Self.indent - label.count))
        let start = out.count
        phrase.write(in: style, into: &out)
        // A line that fits keeps the spaces between its columns.
        if out.columns(from: start) > style.columns - Self.indent {
            let text = String(decoding: out.written[start...], as: UTF8.self)
            out.cut(to: start)
            out.put(Paragraph.figures(text, indent: Self.indent, width: style.columns))
        }
        out.put(UInt8(ascii: "\n"))
    }

    mutating func addEmpty() { out.put("\n") }
}
