package import LocationCore
package import LocwatchTerminal

/// A table for people, below a header, which is repeated when later lines need other columns.
package struct TextTable {
    /// The width to which a column is shortened at most.
    private static let leastWidth = 8

    private let headers: [String]
    /// The columns in the order in which they are omitted if a line is too wide.
    private let dispensable: [String]
    /// The columns that are shortened after that, in order.
    private let shortened: [String]
    /// The columns that are omitted, in order, if that is not enough.
    private let sacrificed: [String]
    private let style: TextStyle
    private var rows: [(cells: [String], ink: Ink?)] = []
    private var widths: [Int]
    /// The layout below the last header.
    private var written: [ShownColumn] = []

    package init(
        headers: [String], dispensable: [String], shortened: [String], sacrificed: [String] = [], style: TextStyle
    ) {
        self.headers = headers
        self.dispensable = dispensable
        self.shortened = shortened
        self.sacrificed = sacrificed
        self.style = style
        widths = headers.map(\.count)
    }

    /// Adds a line; the last cell has the colour of `ink`.
    package mutating func append(_ cells: [String], _ ink: Ink?) { rows.append((cells, ink)) }

    /// Appends the lines that were added since the last call.
    package mutating func write(into out: inout TextBuffer) {
        guard !rows.isEmpty else { return }
        for row in rows {
            for (column, cell) in row.cells.enumerated() {
                widths[column] = max(widths[column], DisplayWidth.of(cell))
            }
        }
        let layout = layout
        if layout != written { put(headers, .faint, layout, into: &out) }
        written = layout
        for row in rows { put(row.cells, row.ink, layout, into: &out) }
        rows.removeAll()
    }

    /// A column that fits the screen.
    private struct ShownColumn: Hashable {
        let column: Int
        let width: Int
    }

    /// The shown columns with their widths, which fit the screen.
    private var layout: [ShownColumn] {
        var shown = Array(headers.indices)
        var widths = widths
        func excess() -> Int { shown.reduce(-2) { $0 + widths[$1] + 2 } - style.columns }
        for name in dispensable where excess() > 0 { shown.removeAll { headers[$0] == name } }
        let flexible = shortened.compactMap { headers.firstIndex(of: $0) }
        let slack = flexible.reduce(0) { $0 + max(0, widths[$1] - Self.leastWidth) }
        for name in sacrificed where excess() > slack { shown.removeAll { headers[$0] == name } }
        for column in flexible where excess() > 0 {
            widths[column] = max(min(widths[column], Self.leastWidth), widths[column] - excess())
        }
        return shown.map { ShownColumn(column: $0, width: widths[$0]) }
    }

    private func put(
        _ cells: [String], _ ink: Ink?, _ layout: [ShownColumn], into out: inout TextBuffer
    ) {
        for (index, shown) in layout.enumerated() {
            let isLast = index == layout.count - 1
            let cell = ShortenedText.middle(cells[shown.column], to: shown.width, style.glyphs)
            if let ink, isLast || ink == .faint {
                out.put(cell, in: ink, if: style.usesColor)
            } else {
                out.put(cell)
            }
            if !isLast { out.put(repeating: UInt8(ascii: " "), count: shown.width - DisplayWidth.of(cell) + 2) }
        }
        out.put("\n")
    }
}
