import LocationCore
import LocwatchTerminal

/// The box with the last events, the newest at the bottom.
struct LogBox: MonitorBox {
    static let name = "log"
    static let key: Unicode.Scalar? = "5"

    let state: MonitorState
    let view: MonitorView

    func region(on screen: ScreenSize, room: Int) -> BoxRegion? { .bottom }

    var title: String { view.filter.isEmpty ? "log" : "log with \"\(view.filter)\"" }

    func draw(on frame: inout Frame, in area: Area) {
        let entries = state.log.newest(area.rows, containing: view.filter, skipping: view.scrolled, view.style)
        if entries.isEmpty {
            let words = view.filter.isEmpty ? "nothing has happened yet" : "no line contains the text"
            frame.put(words, area.column + 1, area.row, .faint, in: area)
        }
        for (offset, entry) in entries.enumerated() {
            let row = area.row + offset
            let time = entry.time.nanosecondsSince1970 == 0 ? "--:--:--" : text.clock(entry.time)
            var column = frame.put(" \(time) ", area.column, row, .faint, in: area)
            column = max(column, area.column + 10)
            frame.put(entry.word, column, row, CellStyle(tint: entry.tint, attributes: .bold), in: area)
            column += max(11, DisplayWidth.of(entry.word) + 1)
            let room = max(0, area.column + area.columns - column)
            let words = ShortenedText.beginning(text.reduced(entry.words(view.style)), to: room, view.glyphs.text)
            frame.put(words, column, row, .plain, in: area)
        }
    }
}

/// The box with the last lines of the source, unchanged apart from hidden characters.
struct RawBox: MonitorBox {
    static let name = "raw lines"

    let state: MonitorState
    let view: MonitorView

    func region(on screen: ScreenSize, room: Int) -> BoxRegion? {
        let hasRoom = screen.columns >= 160 && screen.rows >= 40
        guard view.showsRaw ?? hasRoom else { return nil }
        return hasRoom ? .extra : .bottom
    }

    func draw(on frame: inout Frame, in area: Area) {
        let lines = state.raw.kept.suffix(area.rows)
        if lines.isEmpty { frame.put("no line yet", area.column + 1, area.row, .faint, in: area) }
        for (offset, line) in lines.enumerated() {
            // A line can have kilobytes, of which a row shows the start.
            let text = String(decoding: line.bytes.prefix(area.columns * 4), as: UTF8.self)
            frame.put(text, area.column, area.row + offset, .faint, in: area)
        }
    }
}
