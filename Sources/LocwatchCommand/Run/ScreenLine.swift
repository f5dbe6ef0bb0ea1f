/// A line on the terminal behind standard error that is rewritten in place.
struct ScreenLine {
    private var isShown = false

    /// How many columns the terminal has.
    var columns: Int { Terminal.size(of: 2).columns }

    /// Writes the line anew.
    mutating func show(_ text: String) {
        StandardStream.error.write("\r\(text)\u{1B}[K")
        isShown = true
    }

    /// Takes the line off the screen, before anything else is written there.
    mutating func wipe() {
        guard isShown else { return }
        StandardStream.error.write("\r\u{1B}[K")
        isShown = false
    }
}
