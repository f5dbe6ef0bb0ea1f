/// A geohash, such as u0nd9hw8k: a rectangle that is halved with each bit, by longitude and by latitude in turn.
package enum Geohash {
    package static let lengths: Set<Int> = Set(1...12)
    package static let usualLength = 9

    private static let alphabet = CodeAlphabet("0123456789bcdefghjkmnpqrstuvwxyz")
    private static let bitsOfDigit = 5

    /// Returns the code of a place.
    ///
    /// - Parameter length: The number of characters, 1 … 12.
    package static func text(of place: Coordinate, length: Int = usualLength) -> String {
        var cell = Cell()
        var text = ""
        for _ in 0..<length {
            var digit = 0
            for _ in 0..<bitsOfDigit {
                let isUpper = cell.isLongitudeNext ? place.longitude >= cell.middle : place.latitude >= cell.middle
                digit = digit * 2 + (isUpper ? 1 : 0)
                cell.halve(upper: isUpper)
            }
            text.append(alphabet[digit])
        }
        return text
    }

    /// Returns the rectangle of a code; throws if the text is none.
    static func area(of text: some StringProtocol) throws(InvalidValue) -> CodeArea {
        guard lengths.contains(text.utf8.count) else {
            throw InvalidValue("not a geohash: it has 1 to \(lengths.count) characters")
        }
        var cell = Cell()
        for letter in text.utf8 {
            guard let digit = alphabet.digit(letter) else {
                throw InvalidValue(
                    "not a geohash: \"\(VisibleText.of(String(Unicode.Scalar(letter))))\" is not one of its digits")
            }
            for bit in (0..<bitsOfDigit).reversed() { cell.halve(upper: digit >> bit & 1 == 1) }
        }
        return CodeArea(
            south: cell.latitudes.low, west: cell.longitudes.low, height: cell.latitudes.high - cell.latitudes.low,
            width: cell.longitudes.high - cell.longitudes.low)
    }

    /// A rectangle that is halved.
    private struct Cell {
        var latitudes = (low: -90.0, high: 90.0)
        var longitudes = (low: -180.0, high: 180.0)
        /// Whether the next bit halves the longitudes.
        var isLongitudeNext = true

        var middle: Double {
            let range = isLongitudeNext ? longitudes : latitudes
            return (range.low + range.high) / 2
        }

        mutating func halve(upper: Bool) {
            let middle = middle
            switch (isLongitudeNext, upper) {
            case (true, true): longitudes.low = middle
            case (true, false): longitudes.high = middle
            case (false, true): latitudes.low = middle
            case (false, false): latitudes.high = middle
            }
            isLongitudeNext.toggle()
        }
    }
}
