import LocationCore

/// Text that is shortened to a number of columns, where each character takes one.
enum ShortenedText {
    /// Returns a text with its middle left out, so that it fits; names and paths differ at their ends.
    static func middle(_ text: String, to columns: Int, _ glyphs: Glyphs) -> String {
        let scalars = text.unicodeScalars
        guard scalars.count > columns else { return text }
        let mark = glyphs.ellipsis.unicodeScalars
        guard columns > mark.count + 1 else { return String(String.UnicodeScalarView(scalars.prefix(max(0, columns)))) }
        let kept = columns - mark.count
        var shortened = String.UnicodeScalarView(scalars.prefix(kept / 2))
        shortened.append(contentsOf: mark)
        shortened.append(contentsOf: scalars.suffix(kept - kept / 2))
        return String(shortened)
    }

    /// Returns the first of some forms that fits, which go from long to short; the last one is shortened if none does.
    static func first(of forms: [String], to columns: Int, _ glyphs: Glyphs) -> String {
        let fitting = forms.first { $0.unicodeScalars.count <= columns }
        return fitting ?? middle(forms.last ?? "", to: columns, glyphs)
    }

    /// Returns a sentence with its names as long as they can be, down to eight columns.
    ///
    /// - Parameter sentence: puts the sentence together, with a function through which each name goes.
    static func names(to columns: Int, _ glyphs: Glyphs, _ sentence: ((String) -> String) -> String) -> String {
        var text = sentence { $0 }
        for limit in stride(from: 40, through: 8, by: -1) where text.unicodeScalars.count > columns {
            text = sentence { middle($0, to: limit, glyphs) }
        }
        return middle(text, to: columns, glyphs)
    }

    /// Returns the longest list of parts that fits, from the first one on.
    static func list(_ parts: [String], separator: String = ", ", to columns: Int, _ glyphs: Glyphs) -> String {
        let forms = (0..<max(1, parts.count)).map { parts.dropLast($0).joined(separator: separator) }
        return first(of: forms, to: columns, glyphs)
    }
}
