import LocwatchTerminal

/// The full-screen monitor as a function from a state to the content of a screen.
enum Monitor {
    /// Returns the screen that shows a state.
    static func render(_ state: MonitorState, _ view: MonitorView, size: ScreenSize) -> Frame {
        var painter = MonitorPainter()
        return painter.frame(state, view, size: size)
    }
}
