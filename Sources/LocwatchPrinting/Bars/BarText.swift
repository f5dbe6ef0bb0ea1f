import LocwatchTerminal

/// Text that a bar shows as it is, whatever it contains.
///
/// Hidden characters are made visible first, so that a text stays on its line.
enum BarText {
    /// Returns a text without Pango markup.
    static func pango(_ text: String) -> String {
        replacing(text) { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "'": "&apos;"
            case "\"": "&quot;"
            default: nil
            }
        }
    }

    /// Returns a text without the tags of Polybar, which begin with `%{` and cannot be escaped.
    static func polybar(_ text: String) -> String { replacing(text) { $0 == "%" ? "％" : nil } }

    /// Returns a text without the formats of tmux, which begin with `#`.
    ///
    /// tmux expands the output of a command once more, so that a doubled `#` does not protect what follows it.
    static func tmux(_ text: String) -> String { replacing(text) { $0 == "#" ? "＃" : nil } }

    private static func replacing(_ text: String, _ replacement: (Unicode.Scalar) -> String?) -> String {
        var replaced = String.UnicodeScalarView()
        for scalar in text.printable.unicodeScalars {
            if let other = replacement(scalar) {
                replaced.append(contentsOf: other.unicodeScalars)
            } else {
                replaced.append(scalar)
            }
        }
        return String(replaced)
    }
}
