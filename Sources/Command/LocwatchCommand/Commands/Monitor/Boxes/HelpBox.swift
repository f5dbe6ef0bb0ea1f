import LocationCore
import LocwatchTerminal

/// The list of the keys, over the middle of the screen, which scrolls if there is no room for all of it.
struct HelpBox {
    let view: MonitorView

    static let keys: [(key: String, meaning: String)] = [
        ("q", "quit"), ("?", "show or hide this list"),
        ("space", "freeze and keep collecting; pause a recording"),
        ("left right", "scrub a recording by 10 s"), ("+ -", "play a recording faster or slower"),
        (
            BoxTable.hideable.compactMap { $0.key.map(String.init) }.joined(separator: " "),
            "hide " + BoxTable.hideable.map { $0.name }.joined(separator: ", ")
        ),
        ("d", "degrees: decimal, minutes, seconds"), ("u", "units: metric, imperial, nautical"),
        ("m i n", "metric, imperial, nautical units"), ("g", "group the signals by constellation"),
        ("s", "sort the signals"), ("h", "sky: north, or heading or course up"), ("t", "track or scatter"),
        ("z", "history: ten minutes or an hour"), ("r", "raw lines"), ("/", "filter the log"),
        ("tab", "scroll devices or log"), ("up down", "select a device, scroll the log"),
        ("Enter Esc", "show a device, return to all"), ("w", "save what is in memory as a recording"),
        ("p", "save a picture of the session"), ("Ctrl-L", "draw the screen again"),
    ]

    func draw(on frame: inout Frame) {
        let size = frame.size
        let columns = Self.columns(on: size)
        let lines = Self.lines(on: size)
        let rows = min(size.rows, lines.count + 2)
        let area = Area(
            column: (size.columns - columns) / 2, row: (size.rows - rows) / 2, columns: columns, rows: rows)
        frame.clear(area)
        guard columns >= 20, rows >= 3 else { return }
        var border = FrameLines(size)
        border.horizontal(area.column, area.row, columns)
        border.horizontal(area.column, area.row + rows - 1, columns)
        border.vertical(area.column, area.row, rows)
        border.vertical(area.column + columns - 1, area.row, rows)
        border.draw(on: &frame, view.glyphs)
        frame.put(" keys ", area.column + 2, area.row, .title, in: area)
        let inner = Area(column: area.column + 2, row: area.row + 1, columns: columns - 4, rows: rows - 2)
        let hidden = Self.hiddenLines(on: size)
        // The window may have grown since.
        let first = min(view.helpScrolled, hidden)
        for (offset, (key, words)) in lines.dropFirst(first).prefix(inner.rows).enumerated() {
            frame.put(key, inner.column, inner.row + offset, .bold, in: inner)
            frame.put(words, inner.column + 13, inner.row + offset, .plain, in: inner)
        }
        if hidden > 0 {
            let words =
                first < hidden
                ? " down: \((hidden - first).counting("more line")) " : " up: \(hidden.counting("more line")) "
            frame.put(words, area.column + 2, area.row + rows - 1, .title, in: area)
        }
    }

    /// Returns the number of lines for which a screen has no room.
    static func hiddenLines(on size: ScreenSize) -> Int { max(0, lines(on: size).count - max(0, size.rows - 2)) }

    private static func columns(on size: ScreenSize) -> Int { min(size.columns, 66) }

    /// Returns the keys with their meanings in lines that fit a screen.
    private static func lines(on size: ScreenSize) -> [(key: String, words: String)] {
        let width = columns(on: size) - 17
        return keys.flatMap { key, meaning in
            StateText.wrapped(meaning, width: width, rows: .max).enumerated().map { ($0 == 0 ? key : "", $1) }
        }
    }
}
