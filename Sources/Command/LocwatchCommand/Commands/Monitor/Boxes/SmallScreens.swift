import LocationCore
import LocwatchSupport
import LocwatchTerminal

extension Monitor {
    /// Draws a screen that is too small for anything but one line.
    func drawOneLine(on frame: inout Frame) {
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

    /// Draws a small screen: position and state, and the log in the rows that they leave.
    func drawOneColumn(on frame: inout Frame) {
        var area = frame.size.area
        if area.rows >= 6 { drawHeader(on: &frame, in: area.takeTop(1)) }
        if view.isEditingFilter || view.message != nil || area.rows >= 9 {
            drawFooter(on: &frame, in: area.takeBottom(1))
        }
        if state.isOverview {
            DevicesBox(state: state, view: view).draw(on: &frame, in: area)
        } else {
            let next = PositionBox(state: state, view: view).drawLines(on: &frame, in: area)
            _ = area.takeTop(next - area.row)
            drawLog(on: &frame, in: area)
        }
    }

    private func drawLog(on frame: inout Frame, in area: Area) {
        guard area.rows >= LogBox.leastRows, !view.hidden.contains(LogBox.name) else { return }
        var line = FrameLines(frame.size)
        line.horizontal(area.column, area.row, area.columns)
        line.draw(on: &frame, view.glyphs)
        draw(LogBox(state: state, view: view), on: &frame, in: area)
    }
}
