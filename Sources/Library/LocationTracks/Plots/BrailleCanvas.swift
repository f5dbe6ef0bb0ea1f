import LocationCore

/// A picture made of Braille characters, each two dots wide and four high.
struct BrailleCanvas {
    let columns: Int
    let rows: Int
    private var cells: [UInt8]
    private var inks: [Ink]
    private var letters: [Int: Character] = [:]

    /// A colour of the terminal, by its number; curves and positions are blue.
    enum Ink: Int {
        case plain = 0, red = 31, yellow = 33, blue = 36, faint = 90
    }

    init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
        cells = [UInt8](repeating: 0, count: columns * rows)
        inks = [Ink](repeating: .plain, count: columns * rows)
    }

    var width: Double { Double(columns * 2) }
    var height: Double { Double(rows * 4) }

    mutating func dot(_ x: Double, _ y: Double, _ ink: Ink) {
        let (column, row) = (Int(clamping: x.rounded(.down)), Int(clamping: y.rounded(.down)))
        guard 0..<columns * 2 ~= column, 0..<rows * 4 ~= row else { return }
        let bits: [[UInt8]] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]]
        let cell = row / 4 * columns + column / 2
        cells[cell] |= bits[row % 4][column % 2]
        inks[cell] = ink
    }

    mutating func line(_ start: (Double, Double), _ end: (Double, Double), _ ink: Ink) {
        let distance = max(abs(end.0 - start.0), abs(end.1 - start.1))
        let count = max(1, min(4000, Int(clamping: distance.rounded(.up))))
        for index in 0...count {
            let part = Double(index) / Double(count)
            dot(start.0 + (end.0 - start.0) * part, start.1 + (end.1 - start.1) * part, ink)
        }
    }

    mutating func path(_ points: [(Double, Double)], _ ink: Ink) {
        if points.count == 1 { dot(points[0].0, points[0].1, ink) }
        for (start, end) in zip(points, points.dropFirst()) { line(start, end, ink) }
    }

    mutating func text(_ text: String, column: Int, row: Int, _ ink: Ink = .plain) {
        for (index, character) in text.enumerated() where 0..<columns ~= column + index && 0..<rows ~= row {
            letters[row * columns + column + index] = character
            inks[row * columns + column + index] = ink
        }
    }

    /// The substitutes of a terminal that has ASCII characters only.
    private static let substitutes: [Character: Character] = [
        "○": "o", "●": "*", "■": "x", "↑": "^", "├": "|", "┤": "|", "─": "-", "█": "#", "▒": ":", "×": "x", "µ": "u",
        "…": "~",
    ]

    /// Returns the character of a cell: its letter, or its dots, in ASCII by the half of the cell in which they are.
    private func character(_ cell: Int, isASCII: Bool) -> Character {
        if let letter = letters[cell] {
            return !isASCII || letter.isASCII ? letter : Self.substitutes[letter] ?? "?"
        }
        let dots = cells[cell]
        guard dots != 0 else { return " " }
        guard isASCII else { return Character(Unicode.Scalar(0x2800 + UInt32(dots)) ?? " ") }
        let (upper, lower) = (dots & 0x1B, dots & 0xE4)
        if dots.nonzeroBitCount > 5 { return "#" }
        if lower == 0 { return "'" }
        return upper == 0 ? "." : ":"
    }

    /// Returns the lines of the picture, each exactly `columns` wide.
    func lines(colour: Bool, isASCII: Bool) -> [String] {
        (0..<rows).map { row in
            var line = ""
            var current = Ink.plain
            for cell in (row * columns)..<((row + 1) * columns) {
                let character = character(cell, isASCII: isASCII)
                if colour, inks[cell] != current {
                    current = inks[cell]
                    line += "\u{1B}[\(current.rawValue)m"
                }
                line.append(character)
            }
            return current == .plain ? line : line + "\u{1B}[0m"
        }
    }
}
