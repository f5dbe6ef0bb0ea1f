/// Functions that shorten text to a number of columns.
package enum ShortenedText {
    /// The number of receivers whose names stay different from each other.
    package static let mostNames = 16

    /// Returns a text that fits, without its middle, because names and paths differ at their ends.
    package static func middle(_ text: String, to columns: Int, _ glyphs: Glyphs) -> String {
        guard DisplayWidth.of(text) > columns else { return text }
        let mark = DisplayWidth.of(glyphs.ellipsis)
        guard columns > mark + 1 else { return beginning(of: text, to: columns) }
        let kept = columns - mark
        let front = beginning(of: text, to: kept / 2)
        return front + glyphs.ellipsis + end(of: text, to: kept - DisplayWidth.of(front))
    }

    /// Returns the name of a receiver that fits: without its middle, or without its beginning if it is a topic, because
    /// the topics of a fleet begin alike.
    ///
    /// - Parameter others: Names beside it, from which it stays different; they are not asked for if it is short enough.
    package static func receiver(
        _ name: String, among others: @autoclosure () -> [String] = [], to columns: Int, _ glyphs: Glyphs
    ) -> String {
        let mark = DisplayWidth.of(glyphs.ellipsis)
        let isTopic = !name.utf8.starts(with: "/".utf8) && name.utf8.contains(UInt8(ascii: "/"))
        return distinct(name, among: others(), to: columns, glyphs) { name in
            isTopic && DisplayWidth.of(name) > columns && columns > mark + 1
                ? glyphs.ellipsis + end(of: name, to: columns - mark) : middle(name, to: columns, glyphs)
        }
    }

    /// Returns the short form of a name, or the part of the name in which it differs from others of the same form.
    private static func distinct(
        _ name: String, among others: @autoclosure () -> [String], to columns: Int, _ glyphs: Glyphs,
        _ shorten: (String) -> String
    ) -> String {
        let short = shorten(name)
        guard short != name else { return name }
        let scalars = Array(name.unicodeScalars)
        let alike = others().filter { $0 != name && shorten($0) == short }
        guard let shared = alike.map({ zip(scalars, $0.unicodeScalars).prefix { $0 == $1 }.count }).max() else {
            return short
        }
        let mark = DisplayWidth.of(glyphs.ellipsis)
        // A part that begins with the word in which the names differ is read more easily.
        let word = (scalars[..<shared].lastIndex { "/-_.: ".unicodeScalars.contains($0) } ?? -1) + 1
        let start = shared - word < columns - 2 * mark ? word : shared
        let rest = String(String.UnicodeScalarView(scalars[start...]))
        return DisplayWidth.of(rest) <= columns - mark
            ? glyphs.ellipsis + end(of: name, to: columns - mark)
            : glyphs.ellipsis + beginning(of: rest, to: columns - 2 * mark) + glyphs.ellipsis
    }

    /// Returns the first form that fits, of forms from long to short; if none fits, the beginning of the last one.
    package static func first(of forms: [String], to columns: Int, _ glyphs: Glyphs) -> String {
        forms.first { DisplayWidth.of($0) <= columns } ?? beginning(forms.last ?? "", to: columns, glyphs)
    }

    /// Returns a sentence that fits, with its names shortened as little as possible, down to eight columns, or its beginning.
    ///
    /// - Parameter sentence: builds the sentence, passing each name through the given function.
    package static func names(to columns: Int, _ glyphs: Glyphs, _ sentence: ((String) -> String) -> String) -> String {
        var names: [String] = []
        var text = sentence { name in
            names.append(name)
            return name
        }
        for limit in stride(from: 40, through: 8, by: -1) where DisplayWidth.of(text) > columns {
            text = sentence { distinct($0, among: names, to: limit, glyphs) { middle($0, to: limit, glyphs) } }
        }
        return beginning(text, to: columns, glyphs)
    }

    /// Returns the longest list of leading parts that fits.
    package static func list(_ parts: [String], separator: String = ", ", to columns: Int, _ glyphs: Glyphs) -> String {
        var width = 0
        let count = parts.prefix { part in
            width += DisplayWidth.of(part) + (width > 0 ? DisplayWidth.of(separator) : 0)
            return width <= columns
        }.count
        return count > 0 ? parts[..<count].joined(separator: separator) : middle(parts.first ?? "", to: columns, glyphs)
    }

    /// Returns a text that fits, without its last words; a word is cut if ten columns of it fit, as those of a date.
    package static func beginning(_ text: String, to columns: Int, _ glyphs: Glyphs) -> String {
        guard DisplayWidth.of(text) > columns else { return text }
        let mark = DisplayWidth.of(glyphs.ellipsis)
        guard columns > mark else { return beginning(of: text, to: columns - mark) }
        let room = beginning(of: text, to: columns - mark)
        let isWhole = text.unicodeScalars.dropFirst(room.unicodeScalars.count).first == " "
        guard !isWhole, let space = room.lastIndex(of: " ") else { return room + glyphs.ellipsis }
        let word = String(room[room.index(after: space)...])
        return (DisplayWidth.of(word) < 10 ? String(room[..<space]) : room) + glyphs.ellipsis
    }

    /// Returns a sentence that fits, without its last words, or without the middle of its only word.
    package static func sentence(_ text: String, to columns: Int, _ glyphs: Glyphs) -> String {
        text.utf8.contains(UInt8(ascii: " ")) ? beginning(text, to: columns, glyphs) : middle(text, to: columns, glyphs)
    }

    /// Returns the longest beginning that fits.
    package static func beginning(of text: String, to columns: Int) -> String {
        var room = columns
        return String(
            text.unicodeScalars.prefix { scalar in
                room -= DisplayWidth.of(scalar)
                return room >= 0
            })
    }

    /// Returns the longest end that fits.
    private static func end(of text: String, to columns: Int) -> String {
        var room = columns
        let end = text.unicodeScalars.reversed().prefix { scalar in
            room -= DisplayWidth.of(scalar)
            return room >= 0
        }
        // A mark belongs to the character before it, which does not fit.
        return String(String.UnicodeScalarView(end.reversed().drop { DisplayWidth.of($0) == 0 }))
    }
}
