/// A plus code (Open Location Code), such as 8FVC9G8F+6X, which stands for a rectangle of about 14 m.
///
/// Everything is computed with integers, as the specification asks, so that a place at the edge of two rectangles has the same code
/// everywhere.
package enum PlusCode {
    /// The numbers of digits that a code can have: pairs up to ten, then digits that divide a rectangle into 4 × 5 parts.
    package static let lengths: Set<Int> = [2, 4, 6, 8, 10, 11, 12, 13, 14, 15]
    package static let usualLength = 10

    private static let alphabet = CodeAlphabet("23456789CFGHJMPQRVWX")
    /// The number of digits before the plus sign.
    private static let digitsBeforeSign = 8
    /// The number of digits of which two each divide latitude and longitude by 20.
    private static let pairedDigits = 10
    private static let longest = 15
    private static let (rows, columns) = (5, 4)
    /// The parts of a degree that the longest code counts: 8,000 by pairs, and 5⁵ or 4⁵ by the rest.
    private static let (partsOfLatitude, partsOfLongitude) = (8000 * 3125, 8000 * 1024)

    /// Returns the code of a place.
    ///
    /// - Parameter length: The number of digits, one of `lengths`.
    package static func text(of place: Coordinate, length: Int = usualLength) -> String {
        var (latitude, longitude) = parts(of: place)
        var digits: [Character] = []
        for index in (0..<longest).reversed() {
            if index >= pairedDigits {
                digits.append(alphabet[latitude % rows * columns + longitude % columns])
                (latitude, longitude) = (latitude / rows, longitude / columns)
            } else if index % 2 == 1 {
                digits.append(alphabet[longitude % alphabet.base])
                longitude /= alphabet.base
            } else {
                digits.append(alphabet[latitude % alphabet.base])
                latitude /= alphabet.base
            }
        }
        let code = digits.reversed().prefix(length)
        let head = String(code.prefix(digitsBeforeSign))
        let padding = String(repeating: "0", count: max(0, digitsBeforeSign - head.count))
        return head + padding + "+" + String(code.dropFirst(digitsBeforeSign))
    }

    /// Returns the rectangle of a full code; throws if the text is none.
    static func area(of text: some StringProtocol) throws(InvalidValue) -> CodeArea {
        let bytes = Array(text.utf8)
        guard let sign = bytes.firstIndex(of: UInt8(ascii: "+")) else { throw .plusCode("it has no plus sign") }
        guard sign == digitsBeforeSign else {
            throw .plusCode(
                sign < digitsBeforeSign && sign % 2 == 0
                    ? "a short code belongs to a town; give the full one, such as 8FVC9G8F+6X"
                    : "the plus sign comes after eight digits")
        }
        let padding = bytes[..<sign].drop { $0 != UInt8(ascii: "0") }
        guard padding.allSatisfy({ $0 == UInt8(ascii: "0") }), padding.count % 2 == 0, padding.count < sign else {
            throw .plusCode("zeros can only be the last two, four or six digits before the plus sign")
        }
        let code = bytes[..<(sign - padding.count)] + bytes[(sign + 1)...]
        guard padding.isEmpty || bytes.count == sign + 1 else { throw .plusCode("no digit can follow zeros") }
        guard bytes.count != sign + 2, code.count <= longest else {
            throw .plusCode("after the plus sign come two to seven digits, or none")
        }
        return try area(ofDigits: Array(code))
    }

    private static func area(ofDigits code: [UInt8]) throws(InvalidValue) -> CodeArea {
        var (south, west) = (0, 0)
        // The size of the rectangle of the digits so far, in parts of a degree.
        var (height, width) = (400 * partsOfLatitude, 400 * partsOfLongitude)
        for (index, letter) in code.enumerated() {
            guard let digit = alphabet.digit(letter) else {
                throw .plusCode("\"\(VisibleText.of(String(Unicode.Scalar(letter))))\" is not one of its digits")
            }
            if index >= pairedDigits {
                (height, width) = (height / rows, width / columns)
                south += digit / columns * height
                west += digit % columns * width
            } else if index % 2 == 0 {
                height /= alphabet.base
                south += digit * height
            } else {
                width /= alphabet.base
                west += digit * width
            }
        }
        guard south < 180 * partsOfLatitude, west < 360 * partsOfLongitude else {
            throw .plusCode("its first digits lie beyond the pole or the date line")
        }
        let (latitudes, longitudes) = (Double(partsOfLatitude), Double(partsOfLongitude))
        return CodeArea(
            south: Double(south) / latitudes - 90, west: Double(west) / longitudes - 180,
            height: Double(height) / latitudes, width: Double(width) / longitudes)
    }

    /// Returns the place as whole parts of a degree, counted from the south pole and from the date line.
    private static func parts(of place: Coordinate) -> (latitude: Int, longitude: Int) {
        // The multiplication by ten million is exact enough to undo the rounding of decimal degrees.
        func whole(_ degrees: Double, _ parts: Int) -> Int {
            let exact = degrees * Double(parts)
            let nearest = exact.rounded()
            return Int(clamping: abs(exact - nearest) < 1e-6 ? nearest : exact.rounded(.down))
        }
        let latitude = whole(place.latitude, partsOfLatitude) + 90 * partsOfLatitude
        let longitude = whole(place.longitude, partsOfLongitude) + 180 * partsOfLongitude
        // The pole belongs to the northernmost rectangles, and the date line to the westernmost ones.
        return (min(max(0, latitude), 180 * partsOfLatitude - 1), longitude % (360 * partsOfLongitude))
    }
}

extension InvalidValue {
    fileprivate static func plusCode(_ reason: String) -> InvalidValue { InvalidValue("not a plus code: \(reason)") }
}
