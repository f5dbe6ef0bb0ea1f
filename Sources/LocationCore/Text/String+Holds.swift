extension StringProtocol {
    /// Whether the text is somewhere in this one, byte for byte.
    ///
    /// `contains(_: String)` is of the module for regular expressions, which comes along whole: 1.5 MB of the program.
    package func holds(_ text: String) -> Bool {
        var rest = Substring(self).utf8
        while rest.count >= text.utf8.count {
            if rest.starts(with: text.utf8) { return true }
            rest = rest.dropFirst()
        }
        return false
    }
}
