import LocwatchTerminal

/// The full-screen monitor as a function from a state to the content of a screen.
///
/// Each frame is drawn as a whole, and the terminal gets the cells that differ from the last one.
enum Monitor {
    /// Returns the screen that shows a state.
    static func render(_ state: MonitorState, _ view: MonitorView, size: ScreenSize) -> Frame {
        var frame = Frame(size)
        if size.columns < 20 || size.rows < 4 {
            OneLine(state, view).draw(on: &frame)
        } else if isSmall(size) {
            OneColumn(state, view).draw(on: &frame)
        } else {
            draw(MonitorLayout(state, view, size: size), state, view, on: &frame)
        }
        if view.showsHelp { HelpBox(view).draw(on: &frame) }
        if view.glyphs == .ascii { frame.reduceToASCII() }
        return frame
    }

    /// Returns the rows within a box, or `nil` if it is not on the screen.
    static func rows(of box: any MonitorBox.Type, _ state: MonitorState, _ view: MonitorView, size: ScreenSize) -> Int?
    {
        guard !isSmall(size) else { return nil }
        let rows = MonitorLayout(state, view, size: size).boxes.first { $0.box == box }.map { $0.area.rows - 1 }
        return rows == 0 ? nil : rows
    }

    /// Whether a screen has no room for boxes.
    private static func isSmall(_ size: ScreenSize) -> Bool { size.columns < 60 || size.rows < 16 }

    private static func draw(
        _ layout: MonitorLayout, _ state: MonitorState, _ view: MonitorView, on frame: inout Frame
    ) {
        layout.lines.draw(on: &frame, view.glyphs)
        HeaderLine(state, view).draw(on: &frame)
        FooterLine(state, view).draw(on: &frame)
        for (box, area) in layout.boxes {
            var content = area
            let title = content.takeTop(1)
            let name = ShortenedText.middle(box.title(state, view), to: max(0, title.columns - 3), view.glyphs.text)
            frame.put(" \(name) ", title.column + 1, title.row, .title, in: title)
            if !content.isEmpty { box.init(state, view).draw(on: &frame, in: content) }
        }
    }
}
