import LocationCore

/// The text of an attribution, which MBTiles files have as HTML; nothing of it is HTML in the page.
enum AttributionText {
    /// The number of characters that are read, and that are shown.
    private static let (most, limit) = (4096, 200)

    private static let entities: [Substring: Unicode.Scalar] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "copy": "©", "reg": "®",
        "middot": "·", "ndash": "–", "mdash": "—", "bull": "•",
    ]

    /// Returns the text of HTML in one line without tags, or `nil` if none is left.
    static func of(_ html: String) -> String? {
        var words: [String] = [""]
        for scalar in characters(of: withoutTags(html)) {
            if scalar.properties.isWhitespace {
                if words[words.count - 1] != "" { words.append("") }
            } else if !VisibleText.isHidden(scalar) {
                words[words.count - 1].unicodeScalars.append(scalar)
            }
        }
        let text = words.filter { !$0.isEmpty }.joined(separator: " ")
        guard !text.isEmpty else { return nil }
        return text.count > limit ? "\(text.prefix(limit))…" : text
    }

    /// Returns the text outside of tags; one that is not closed takes the rest.
    private static func withoutTags(_ html: String) -> String {
        var text = String.UnicodeScalarView()
        var rest = html.unicodeScalars.prefix(most)
        while let open = rest.firstIndex(of: "<") {
            text += rest[..<open]
            rest = rest[open...]
            // A tag begins with a letter, the end of one with a slash, and a comment with an exclamation mark.
            let next = rest.dropFirst().first
            guard let next, next.properties.isAlphabetic || "/!?".unicodeScalars.contains(next) else {
                text.append("<")
                rest = rest.dropFirst()
                continue
            }
            rest = rest.drop { $0 != ">" }.dropFirst()
        }
        text += rest
        return String(text)
    }

    /// Returns the characters of a text in which entities stand for characters.
    private static func characters(of text: String) -> [Unicode.Scalar] {
        var (characters, rest) = ([Unicode.Scalar](), text.unicodeScalars[...])
        while let first = rest.popFirst() {
            // The longest name above has six letters, and a number seven digits.
            guard first == "&", let end = rest.prefix(9).firstIndex(of: ";"),
                let character = entity(Substring(rest[..<end]))
            else {
                characters.append(first)
                continue
            }
            characters.append(character)
            rest = rest[rest.index(after: end)...]
        }
        return characters
    }

    private static func entity(_ name: Substring) -> Unicode.Scalar? {
        if let character = entities[name] { return character }
        guard name.first == "#" else { return nil }
        let digits = name.dropFirst()
        let isHexadecimal = digits.first == "x" || digits.first == "X"
        let number = isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return number.flatMap { Unicode.Scalar($0) }
    }
}
