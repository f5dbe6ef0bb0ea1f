import LocationCore
import LocationTracks
import LocwatchSupport

/// A screen that is too small for anything but one line.
struct OneLine {
    private let state: MonitorState
    private let view: MonitorView

    init(_ state: MonitorState, _ view: MonitorView) { (self.state, self.view) = (state, view) }

    func draw(on frame: inout Frame) {
        let words = StateText(state, view)
        let style = CellStyle(tint: words.tint, attributes: .bold)
        let area = frame.size.area
        guard !state.isFleet || state.chosen != nil else {
            let found = state.devices.values.count { $0.state == .found }
            frame.put("\(found)/\(state.devices.count) found", 0, 0, style, in: area)
            return
        }
        var column = frame.put(words.word, 0, 0, style, in: area)
        guard let location = state.location else { return }
        let text = MonitorText(view)
        let isOld = !state.isCurrent
        let parts = [
            text.coordinate(location.coordinate.latitude, .latitude),
            text.coordinate(location.coordinate.longitude, .longitude),
            location.horizontalAccuracy.map(text.accuracy), isOld ? state.age.map { "\(text.age($0)) old" } : nil,
        ]
        for part in parts.compactMap(\.self) {
            column = frame.put(" \(part)", column, 0, CellStyle.plain.dimmed(if: isOld), in: area)
        }
    }
}

/// A small screen: position and state, and the log if there is room.
struct OneColumn {
    private let state: MonitorState
    private let view: MonitorView

    init(_ state: MonitorState, _ view: MonitorView) { (self.state, self.view) = (state, view) }

    func draw(on frame: inout Frame) {
        var area = frame.size.area
        if area.rows >= 6 { HeaderLine(state, view).draw(on: &frame, in: area.takeTop(1)) }
        if view.isEditingFilter || view.message != nil || area.rows >= 9 {
            FooterLine(state, view).draw(on: &frame, in: area.takeBottom(1))
        }
        if state.isFleet, state.chosen == nil {
            DevicesBox(state, view).draw(on: &frame, in: area)
        } else {
            PositionBox(state, view).draw(on: &frame, in: area)
        }
    }
}

/// The first line: the source, the receiver, the state and the time.
struct HeaderLine {
    private let state: MonitorState
    private let view: MonitorView

    init(_ state: MonitorState, _ view: MonitorView) { (self.state, self.view) = (state, view) }

    func draw(on frame: inout Frame) { draw(on: &frame, in: Area(row: 0, of: frame.size)) }

    func draw(on frame: inout Frame, in area: Area) {
        let text = MonitorText(view)
        let words = StateText(state, view)
        let time = text.clock(state.now.wall) + (view.localTime.zone(state.now.wall) == "UTC" ? "Z" : "")
        let hasTime = state.now.wall.nanosecondsSince1970 > 0
        let help = area.columns >= 60 ? "   ? help " : " "
        let start = frame.put(right: "\(hasTime ? time : "--:--:--")\(help)", area.row, .plain, in: area)
        guard area.columns >= 36 else {
            frame.put(" locwatch", area.column, area.row, .title, in: area.cut(before: start))
            return
        }
        let state = state.isFleet && state.chosen == nil ? "\(state.devices.count) devices" : words.word
        let column = max(area.column, start - DisplayWidth.of(state) - 2)
        frame.put(state, column, area.row, CellStyle(tint: words.tint, attributes: .bold), in: area)
        var left = area.cut(before: column - 1)
        left.column += frame.put(" locwatch  ", area.column, area.row, .title, in: left) - area.column
        left = Area(column: left.column, row: area.row, columns: column - 1 - left.column, rows: 1)
        frame.put(
            ShortenedText.list(names, separator: "  ", to: left.columns, view.glyphs.text), left.column, left.row,
            .plain, in: left)
    }

    private var names: [String] {
        let device = state.shown ?? nil
        let kind = state.shown.flatMap { state.devices[$0]?.kind }
        return [state.place, state.isFleet && state.chosen == nil ? nil : device?.printable, kind].compactMap(\.self)
    }
}

/// The last line: the keys, a message, the playback, or the filter that is being typed.
struct FooterLine {
    private let state: MonitorState
    private let view: MonitorView

    init(_ state: MonitorState, _ view: MonitorView) { (self.state, self.view) = (state, view) }

    func draw(on frame: inout Frame) {
        draw(on: &frame, in: Area(row: frame.size.rows - 1, of: frame.size))
    }

    func draw(on frame: inout Frame, in area: Area) {
        if view.isEditingFilter {
            frame.put(" /\(view.filter)_", area.column, area.row, .bold, in: area)
        } else if let message = view.message {
            frame.put(" \(message)", area.column, area.row, .bold, in: area)
        } else if let frozen = view.frozen {
            let text = " frozen at \(MonitorText(view).clock(frozen)), still collecting; space continues "
            frame.put(text, area.column, area.row, .reversed, in: area)
        } else if let playback = view.playback {
            draw(playback, on: &frame, in: area)
        } else {
            frame.put(keys(area.columns), area.column, area.row, .faint, in: area)
        }
    }

    private func draw(_ playback: PlaybackStatus, on frame: inout Frame, in area: Area) {
        let text = MonitorText(view)
        let word = playback.isAtEnd ? "end" : playback.isPaused ? "paused" : "playing"
        var rate = TextBuffer()
        rate.put(trimmed: playback.rate, decimals: 3)
        let style: CellStyle = playback.isPaused || playback.isAtEnd ? .reversed : .bold
        let column = frame.put(
            " \(word) \(rate.text)x  \(text.age(playback.position)) ", area.column, area.row, style, in: area)
        let arrows = view.glyphs == .ascii ? "left/right" : "← →"
        frame.put("  \(arrows) 10 s  space pause  + - pace  q quit", column, area.row, .faint, in: area)
    }

    private func keys(_ columns: Int) -> String {
        let parts =
            state.isFleet
            ? ["q quit", "space freeze", "Enter open", "Esc back", "/ filter log", "d degrees", "u units", "? help"]
            : [
                "q quit", "space freeze", "1-6 boxes", "d degrees", "u units", "g group", "s sort", "r raw", "t track",
                "/ filter", "w save", "p picture",
            ]
        return " " + ShortenedText.list(parts, separator: "  ", to: columns - 1, view.glyphs.text)
    }
}

extension Area {
    init(row: Int, of size: ScreenSize) { self.init(column: 0, row: row, columns: size.columns, rows: 1) }

    /// Returns the part to the left of a column.
    func cut(before column: Int) -> Area {
        Area(column: self.column, row: row, columns: max(0, column - self.column), rows: rows)
    }
}
