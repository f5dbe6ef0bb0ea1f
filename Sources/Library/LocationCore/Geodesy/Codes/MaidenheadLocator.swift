/// A locator of amateur radio, such as JN35ub: pairs of a character for the longitude and one for the latitude.
package enum MaidenheadLocator {
    package static let lengths: Set<Int> = [4, 6, 8, 10]
    /// A field of 5' of longitude by 2.5' of latitude.
    package static let usualLength = 6

    private static let fields = CodeAlphabet("ABCDEFGHIJKLMNOPQR")
    private static let squares = CodeAlphabet("0123456789")
    private static let subsquares = CodeAlphabet("abcdefghijklmnopqrstuvwx")
    /// The alphabet of each pair.
    private static let pairs = [fields, squares, subsquares, squares, subsquares]
    /// The parts of the height of the globe, and of half its width, that the longest locator counts.
    private static let parts = pairs.reduce(1) { $0 * $1.base }

    /// Returns the locator of a place.
    ///
    /// - Parameter length: The number of characters, one of `lengths`.
    package static func text(of place: Coordinate, length: Int = usualLength) -> String {
        // The date line belongs to the westernmost fields and the north pole to the northernmost ones.
        var east = whole((place.longitude + 180) / 360) % parts
        var north = min(parts - 1, whole((place.latitude + 90) / 180))
        var characters: [Character] = []
        for alphabet in pairs.reversed() {
            characters += [alphabet[north % alphabet.base], alphabet[east % alphabet.base]]
            (east, north) = (east / alphabet.base, north / alphabet.base)
        }
        return String(characters.reversed().prefix(length))
    }

    /// Returns whether a text has the form of a locator.
    static func isForm(_ text: some StringProtocol) -> Bool { (try? area(of: text)) != nil }

    /// Returns the rectangle of a locator; throws if the text is none.
    static func area(of text: some StringProtocol) throws(InvalidValue) -> CodeArea {
        let letters = Array(text.utf8)
        guard lengths.contains(letters.count) else {
            throw InvalidValue("not a locator: it has 4, 6, 8 or 10 characters")
        }
        var (west, south, size) = (0, 0, parts)
        for (index, alphabet) in pairs.prefix(letters.count / 2).enumerated() {
            guard let east = alphabet.digit(letters[2 * index]), let north = alphabet.digit(letters[2 * index + 1])
            else { throw InvalidValue("not a locator: they are written as in JN35ub or JN35ub42") }
            size /= alphabet.base
            (west, south) = (west + east * size, south + north * size)
        }
        let part = 180 / Double(parts)
        return CodeArea(
            south: Double(south) * part - 90, west: 2 * Double(west) * part - 180, height: Double(size) * part,
            width: 2 * Double(size) * part)
    }

    /// Returns the whole parts of a share of the globe; one that lies on an edge but for the rounding belongs to the part above.
    private static func whole(_ share: Double) -> Int {
        let exact = share * Double(parts)
        let nearest = exact.rounded()
        return Int(clamping: abs(exact - nearest) < 1e-6 ? nearest : exact.rounded(.down))
    }
}
