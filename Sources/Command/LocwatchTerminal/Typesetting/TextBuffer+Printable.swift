import LocationCore

extension TextBuffer {
    /// Appends external text with hidden characters made visible; see `VisibleText`.
    package mutating func put(printable text: String) { put(VisibleText.of(text)) }
}

extension String {
    /// The text with hidden characters made visible; see `VisibleText`.
    package var printable: String { VisibleText.of(self) }
}
