import LocationCore
import LocwatchSupport
import LocwatchTerminal

extension Monitor {
    /// Draws the first line: the source, the receiver, the state and the time.
    func drawHeader(on frame: inout Frame, in area: Area) {
        let words = StateText(state, view)
        let wall = state.now.wall
        let time = wall.nanosecondsSince1970 > 0 ? text.clock(wall) : "--:--:--"
        let zone = wall.nanosecondsSince1970 > 0 && view.localTime.zone(wall) == "UTC" ? "Z" : ""
        let help = area.columns >= 60 ? "   ? help " : " "
        let start = frame.put(right: "\(time)\(zone)\(help)", area.row, .plain, in: area)
        guard area.columns >= 36 else {
            frame.put(" locwatch", area.column, area.row, .title, in: area.cut(before: start))
            return
        }
        let state = state.isOverview ? state.devices.count.counting("device") : words.word
        let column = max(area.column, start - DisplayWidth.of(state) - 2)
        frame.put(state, column, area.row, CellStyle(tint: words.tint, attributes: .bold), in: area)
        var left = area.cut(before: column - 1)
        left.column += frame.put(" locwatch  ", area.column, area.row, .title, in: left) - area.column
        left = Area(column: left.column, row: area.row, columns: column - 1 - left.column, rows: 1)
        frame.put(
            ShortenedText.list(names(in: left.columns), separator: "  ", to: left.columns, view.glyphs.text),
            left.column, left.row, .plain, in: left)
    }

    /// Returns the names of the source and the receiver; the source as words, or as its word if that is shorter.
    private func names(in columns: Int) -> [String] {
        let word = DisplayWidth.of(state.word) < DisplayWidth.of(state.place) ? state.word : state.place
        let place = DisplayWidth.of(state.place) <= columns ? state.place : word
        let device = state.shown ?? nil
        let kind = state.shown.flatMap { state.devices[$0]?.kind }
        return [place, state.isOverview ? nil : device?.printable, kind].compactMap(\.self)
    }

    /// Draws the last line: the keys, a message, the playback, or the filter that is being typed.
    func drawFooter(on frame: inout Frame, in area: Area) {
        if view.isEditingFilter {
            frame.put(" /\(view.filter)_", area.column, area.row, .bold, in: area)
        } else if let message = view.message {
            frame.put(" \(message)", area.column, area.row, .bold, in: area)
        } else if let frozen = view.frozen {
            let words = " frozen at \(text.clock(frozen)), still collecting; space continues "
            frame.put(words, area.column, area.row, .reversed, in: area)
        } else if let playback = view.playback {
            draw(playback, on: &frame, in: area)
        } else {
            frame.put(keys(area.columns), area.column, area.row, .faint, in: area)
        }
    }

    private func draw(_ playback: PlaybackStatus, on frame: inout Frame, in area: Area) {
        let word = if playback.isAtEnd { "end" } else if playback.isPaused { "paused" } else { "playing" }
        let rate =
            playback.rate < PlaybackClock.fastest
            ? TextBuffer.text { $0.put(trimmed: playback.rate, decimals: 3) } + "x" : "at once"
        let style: CellStyle = playback.isPaused || playback.isAtEnd ? .reversed : .bold
        let column = frame.put(
            " \(word) \(rate)  \(text.age(playback.position)) ", area.column, area.row, style, in: area)
        let arrows = view.glyphs == .ascii ? "left/right" : "← →"
        frame.put("  \(arrows) 10 s  space pause  + - pace  q quit", column, area.row, .faint, in: area)
    }

    private func keys(_ columns: Int) -> String {
        let back = state.chosen == nil ? [] : ["Esc back"]
        let parts =
            state.isOverview
            ? ["q quit", "space freeze", "Enter open", "/ filter log", "d degrees", "u units", "? help"]
            : ["q quit"] + back + [
                "space freeze", "1-\(BoxTable.hideable.count) boxes", "d degrees", "u units", "g group",
                "s sort", "r raw", "t track", "/ filter", "w save", "p picture",
            ]
        return " " + ShortenedText.list(parts, separator: "  ", to: columns - 1, view.glyphs.text)
    }
}
