extension StringProtocol {
    /// Returns whether the text contains another one, byte for byte.
    ///
    /// `contains(_: String)` would link the module for regular expressions, which adds 1.5 MB to the program.
    package func containsBytes(of text: String) -> Bool {
        var rest = Substring(self).utf8
        while rest.count >= text.utf8.count {
            if rest.starts(with: text.utf8) { return true }
            rest = rest.dropFirst()
        }
        return false
    }
}
