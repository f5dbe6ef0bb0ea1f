/// Functions that shorten text to a number of columns, one for each Unicode scalar.
package enum ShortenedText {
    /// Returns a text that fits, without its middle, because names and paths differ at their ends.
    package static func middle(_ text: String, to columns: Int, _ glyphs: Glyphs) -> String {
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

    /// Returns the name of a receiver that fits: without its middle, or without its beginning if it is a topic, because
    /// the topics of a fleet begin alike.
    package static func receiver(_ name: String, to columns: Int, _ glyphs: Glyphs) -> String {
        let scalars = name.unicodeScalars
        let mark = glyphs.ellipsis.unicodeScalars
        guard scalars.first != "/", scalars.contains("/"), scalars.count > columns, columns > mark.count + 1 else {
            return middle(name, to: columns, glyphs)
        }
        var shortened = String.UnicodeScalarView(mark)
        shortened.append(contentsOf: scalars.suffix(columns - mark.count))
        return String(shortened)
    }

    /// Returns the first form that fits, of forms from long to short; shortens the last one if none fits.
    package static func first(of forms: [String], to columns: Int, _ glyphs: Glyphs) -> String {
        let fitting = forms.first { $0.unicodeScalars.count <= columns }
        return fitting ?? middle(forms.last ?? "", to: columns, glyphs)
    }

    /// Returns a sentence that fits, with its names shortened as little as possible, down to eight columns.
    ///
    /// - Parameter sentence: builds the sentence, passing each name through the given function.
    package static func names(to columns: Int, _ glyphs: Glyphs, _ sentence: ((String) -> String) -> String) -> String {
        var text = sentence { $0 }
        for limit in stride(from: 40, through: 8, by: -1) where text.unicodeScalars.count > columns {
            text = sentence { middle($0, to: limit, glyphs) }
        }
        return middle(text, to: columns, glyphs)
    }

    /// Returns the longest list of leading parts that fits.
    package static func list(_ parts: [String], separator: String = ", ", to columns: Int, _ glyphs: Glyphs) -> String {
        var width = 0
        let count = parts.prefix { part in
            width += part.unicodeScalars.count + (width > 0 ? separator.unicodeScalars.count : 0)
            return width <= columns
        }.count
        return count > 0 ? parts[..<count].joined(separator: separator) : middle(parts.first ?? "", to: columns, glyphs)
    }
}
