import LocwatchTerminal

/// The full-screen monitor as a function from a state to the content of a screen.
///
/// Each frame is drawn as a whole, and the terminal gets the cells that differ from the last one.
struct Monitor {
    let state: MonitorState
    let view: MonitorView

    var text: MonitorText { MonitorText(view: view) }

    /// Returns the screen that shows a state.
    static func render(_ state: MonitorState, _ view: MonitorView, size: ScreenSize) -> Frame {
        var frame = Frame(size)
        let monitor = Monitor(state: state, view: view)
        if size.columns < 20 || size.rows < 4 {
            monitor.drawOneLine(on: &frame)
        } else if let layout = layout(state, view, size: size) {
            monitor.draw(layout, on: &frame)
        } else {
            monitor.drawOneColumn(on: &frame)
        }
        if view.showsHelp { HelpBox(view: view).draw(on: &frame) }
        if view.glyphs == .ascii { frame.reduceToASCII() }
        return frame
    }

    /// Returns the boxes of a screen and their places, or `nil` for a screen without room for boxes.
    static func layout(_ state: MonitorState, _ view: MonitorView, size: ScreenSize) -> MonitorLayout? {
        size.columns < 60 || size.rows < 16 ? nil : MonitorLayout(state, view, size: size)
    }

    private func draw(_ layout: MonitorLayout, on frame: inout Frame) {
        layout.lines.draw(on: &frame, view.glyphs)
        var area = frame.size.area
        drawHeader(on: &frame, in: area.takeTop(1))
        drawFooter(on: &frame, in: area.takeBottom(1))
        for (box, area) in layout.boxes { draw(box, on: &frame, in: area) }
    }

    /// Draws a box with its title in the first row.
    func draw(_ box: some MonitorBox, on frame: inout Frame, in area: Area) {
        var content = area
        let title = content.takeTop(1)
        let name = ShortenedText.middle(box.title, to: max(0, title.columns - 3), view.glyphs.text)
        frame.put(" \(name) ", title.column + 1, title.row, .title, in: title)
        if !content.isEmpty { box.draw(on: &frame, in: content) }
    }
}
