import LocationCore
import LocwatchSupport
import LocwatchTerminal

/// A screen that is too small for anything but one line.
struct OneLine {
    let state: MonitorState
    let view: MonitorView

    func draw(on frame: inout Frame) {
        let words = StateText(state, view)
        let style = CellStyle(tint: words.tint, attributes: .bold)
        let area = frame.size.area
        guard !state.isOverview else {
            let found = state.devices.values.count { $0.state == .found }
            frame.put("\(found)/\(state.devices.count) found", 0, 0, style, in: area)
            return
        }
        var column = frame.put(words.word, 0, 0, style, in: area)
        guard let location = state.location else { return }
        let text = MonitorText(view: view)
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
    let state: MonitorState
    let view: MonitorView

    func draw(on frame: inout Frame) {
        var area = frame.size.area
        if area.rows >= 6 { HeaderLine(state: state, view: view).draw(on: &frame, in: area.takeTop(1)) }
        if view.isEditingFilter || view.message != nil || area.rows >= 9 {
            FooterLine(state: state, view: view).draw(on: &frame, in: area.takeBottom(1))
        }
        if state.isOverview {
            DevicesBox(state: state, view: view).draw(on: &frame, in: area)
        } else {
            PositionBox(state: state, view: view).draw(on: &frame, in: area)
        }
    }
}

extension Area {
    init(row: Int, of size: ScreenSize) { self.init(column: 0, row: row, columns: size.columns, rows: 1) }

    /// Returns the part to the left of a column.
    func cut(before column: Int) -> Area {
        Area(column: self.column, row: row, columns: max(0, column - self.column), rows: rows)
    }
}
