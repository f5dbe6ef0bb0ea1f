import LocwatchTerminal

/// The full-screen monitor as a function from a state to the content of a screen.
///
/// Each frame is drawn as a whole, and the terminal gets the cells that differ from the last one.
enum Monitor {
    /// Returns the screen that shows a state.
    static func render(_ state: MonitorState, _ view: MonitorView, size: ScreenSize) -> Frame {
        var frame = Frame(size)
        if size.columns < 20 || size.rows < 4 {
            OneLine(state: state, view: view).draw(on: &frame)
        } else if let layout = layout(state, view, size: size) {
            draw(layout, state, view, on: &frame)
        } else {
            OneColumn(state: state, view: view).draw(on: &frame)
        }
        if view.showsHelp { HelpBox(view: view).draw(on: &frame) }
        if view.glyphs == .ascii { frame.reduceToASCII() }
        return frame
    }

    /// Returns the boxes of a screen and their places, or `nil` for a screen without room for boxes.
    static func layout(_ state: MonitorState, _ view: MonitorView, size: ScreenSize) -> MonitorLayout? {
        size.columns < 60 || size.rows < 16 ? nil : MonitorLayout(state, view, size: size)
    }

    private static func draw(
        _ layout: MonitorLayout, _ state: MonitorState, _ view: MonitorView, on frame: inout Frame
    ) {
        layout.lines.draw(on: &frame, view.glyphs)
        HeaderLine(state: state, view: view).draw(on: &frame, in: Area(row: 0, of: frame.size))
        FooterLine(state: state, view: view).draw(on: &frame, in: Area(row: frame.size.rows - 1, of: frame.size))
        for (box, area) in layout.boxes {
            var content = area
            let title = content.takeTop(1)
            let name = ShortenedText.middle(box.title, to: max(0, title.columns - 3), view.glyphs.text)
            frame.put(" \(name) ", title.column + 1, title.row, .title, in: title)
            if !content.isEmpty { box.draw(on: &frame, in: content) }
        }
    }
}
