/// A rectangle of latitude and longitude that a code of a place stands for.
struct CodeArea: Hashable, Sendable {
    /// The southern and western edges in degrees.
    let south, west: Double
    /// The height and the width in degrees.
    let height, width: Double

    /// The middle, which is the place that a code is taken for.
    var center: Coordinate {
        // The northernmost and easternmost areas end at the pole and at the date line.
        let (latitude, longitude) = (min(90, south + height / 2), min(180, west + width / 2))
        return Coordinate(checking: latitude, longitude) ?? Coordinate(unchecked: 0, 0)
    }
}

/// The digits of a code, which counts in a base with an alphabet of its own.
struct CodeAlphabet: Sendable {
    private let letters: [UInt8]

    init(_ letters: StaticString) {
        self.letters = letters.withUTF8Buffer { Array($0) }
    }

    var base: Int { letters.count }

    /// Returns the letter of a digit below the base.
    subscript(digit: Int) -> Character { Character(Unicode.Scalar(letters[digit])) }

    /// Returns the value of a letter in either case, or `nil` for one of another alphabet.
    func digit(_ letter: UInt8) -> Int? {
        let upper = 0x61...0x7A ~= letter ? letter - 0x20 : letter
        return letters.firstIndex { ($0 == letter) || ($0 == upper) || (0x61...0x7A ~= $0 && $0 - 0x20 == upper) }
    }
}
