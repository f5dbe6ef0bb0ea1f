import LocationCore

/// The words of a command line, separated and quoted as in a POSIX shell, without any expansion.
///
/// Spaces, tabs and new lines separate words. A backslash, single quotes and double quotes quote. Every other character
/// stands for itself: `$`, backquotes, `*`, `~`, `|`, `;`, `&`, `<`, `>` and `#` have no meaning.
package enum ShellWords {
    /// Returns the words of a text, or `nil` if a quotation mark lacks its counterpart, a backslash is at the end, or there is a zero
    /// byte, which the argument of a program cannot contain.
    ///
    /// The text is split by bytes, because a combining character would hide the quotation mark before it.
    package static func split(_ text: String) -> [String]? {
        var words: [String] = []
        var word: [UInt8]?
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            switch byte {
            case 0: return nil
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"):
                if let word { words.append(String(decoding: word, as: UTF8.self)) }
                word = nil
            case UInt8(ascii: "\\"):
                guard let next = rest.popFirst() else { return nil }
                // A backslash at the end of a line joins the lines.
                if next != UInt8(ascii: "\n") { word = (word ?? []) + [next] }
            case UInt8(ascii: "'"):
                guard let end = rest.firstIndex(of: byte) else { return nil }
                word = (word ?? []) + rest[..<end]
                rest = rest[(end + 1)...]
            case UInt8(ascii: "\""):
                guard let bytes = quoted(&rest) else { return nil }
                word = (word ?? []) + bytes
            default: word = (word ?? []) + [byte]
            }
        }
        if let word { words.append(String(decoding: word, as: UTF8.self)) }
        guard !words.contains(where: { $0.utf8.contains(0) }) else { return nil }
        return words
    }

    /// Returns the bytes up to the closing double quote, which is removed too, or `nil` without one.
    private static func quoted(_ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        while let byte = rest.popFirst() {
            switch (byte, rest.first) {
            case (UInt8(ascii: "\""), _): return bytes
            case (UInt8(ascii: "\\"), UInt8(ascii: "\n")): rest.removeFirst()
            case (UInt8(ascii: "\\"), let next?) where quotable.contains(next):
                bytes.append(next)
                rest.removeFirst()
            default: bytes.append(byte)
            }
        }
        return nil
    }

    /// Returns a word as it is written in a shell: in single quotes, unless no character needs them.
    package static func quoted(_ word: String) -> String {
        guard word.isEmpty || !word.utf8.allSatisfy(isPlain) else { return word }
        return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }

    /// Returns whether a character stands for itself in a word, in every shell.
    package static func isPlain(_ byte: UInt8) -> Bool { byte.isLetterOrDigit || "_@%+=:,./-".utf8.contains(byte) }

    /// The characters that a backslash quotes within double quotes.
    private static let quotable: [UInt8] = [
        UInt8(ascii: "$"), UInt8(ascii: "`"), UInt8(ascii: "\""), UInt8(ascii: "\\"),
    ]
}
