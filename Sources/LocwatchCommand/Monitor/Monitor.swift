import LocationCore

/// The full-screen monitor as a function from a state to the content of a screen.
enum Monitor {
    /// Returns the screen that shows a state.
    static func render(_ state: MonitorState, _ view: MonitorView, size: ScreenSize) -> Frame {
        var frame = Frame(size)
        if size.columns < 20 || size.rows < 4 {
            OneLine(state, view).draw(on: &frame)
        } else if size.columns < 60 || size.rows < 16 {
            OneColumn(state, view).draw(on: &frame)
        } else {
            let layout = MonitorLayout(state, view, size: size)
            layout.lines.draw(on: &frame, view.glyphs)
            HeaderLine(state, view).draw(on: &frame)
            for (box, area) in layout.boxes { draw(box, of: state, view, on: &frame, in: area) }
            FooterLine(state, view).draw(on: &frame)
        }
        if view.showsHelp { HelpBox(view).draw(on: &frame) }
        if view.glyphs == .ascii { frame.reduceToASCII() }
        return frame
    }

    private static func draw(
        _ box: MonitorLayout.Box, of state: MonitorState, _ view: MonitorView, on frame: inout Frame, in area: Area
    ) {
        var content = area
        let title = content.takeTop(1)
        let name = box.title(state, view)
        let shown = ShortenedText.middle(name, to: max(0, title.columns - 3), view.glyphs.text)
        frame.put(" \(shown) ", title.column + 1, title.row, .title, in: title)
        guard !content.isEmpty else { return }
        switch box {
        case .position: PositionBox(state, view).draw(on: &frame, in: content)
        case .sky: SkyBox(state, view).draw(on: &frame, in: content)
        case .signals: SignalsBox(state, view).draw(on: &frame, in: content)
        case .history: HistoryBox(state, view).draw(on: &frame, in: content)
        case .devices: DevicesBox(state, view).draw(on: &frame, in: content)
        case .log: LogBox(state, view).draw(on: &frame, in: content)
        case .raw: RawBox(state, view).draw(on: &frame, in: content)
        case .ground: GroundBox(state, view).draw(on: &frame, in: content)
        }
    }
}
