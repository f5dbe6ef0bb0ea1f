/// Angles with degrees, minutes, seconds and a letter for the hemisphere, as in 45°04'25.0"N 7°40'49.5"E.
enum DegreesText {
    /// An angle, and whether it is a latitude.
    private typealias Part = (degrees: Double, isLatitude: Bool)

    /// Returns the number of angles that a text has, by the letters of their hemispheres.
    static func count(in text: some StringProtocol) -> Int {
        text.utf8.filter { hemisphere($0) != nil }.count
    }

    /// Reads a latitude and a longitude; throws if the text is none.
    static func coordinate(of text: some StringProtocol) throws(InvalidValue) -> Coordinate {
        var (parts, numbers) = ([Part](), [Double]())
        var digits = ""
        // The letter before its angle, as in N 45° 4.4'.
        var leading: UInt8?
        func endNumber() throws(InvalidValue) {
            guard !digits.isEmpty else { return }
            guard let number = PlainNumber.read(digits), numbers.count < 3 else { throw .degrees }
            numbers.append(number)
            digits = ""
        }
        func endAngle(_ letter: UInt8) throws(InvalidValue) {
            guard let (isLatitude, sign) = hemisphere(letter) else { throw .degrees }
            parts.append((sign * (try angle(numbers)), isLatitude))
            numbers = []
        }
        for scalar in text.unicodeScalars {
            let byte = UInt8(exactly: scalar.value)
            if let byte, hemisphere(byte) != nil {
                try endNumber()
                if let letter = leading {
                    try endAngle(letter)
                    leading = byte
                } else if numbers.isEmpty {
                    leading = byte
                } else {
                    try endAngle(byte)
                }
            } else if let byte, 0x30...0x39 ~= byte || byte == UInt8(ascii: ".") {
                digits.unicodeScalars.append(scalar)
            } else {
                guard separators.contains(scalar) else { throw .degrees }
                try endNumber()
            }
        }
        try endNumber()
        if let leading { try endAngle(leading) }
        guard parts.count == 2, numbers.isEmpty, parts[0].isLatitude != parts[1].isLatitude else { throw .degrees }
        let (latitude, longitude) = parts[0].isLatitude ? (parts[0], parts[1]) : (parts[1], parts[0])
        guard let coordinate = Coordinate(checking: latitude.degrees, longitude.degrees) else { throw .outOfRange }
        return coordinate
    }

    /// The characters between the numbers: the signs of degrees, minutes and seconds in their usual forms, and spaces.
    private static let separators = Set(" ,:°º'′’\"″”".unicodeScalars)

    /// Returns whether a letter stands for a latitude, and the sign of its angles.
    private static func hemisphere(_ letter: UInt8) -> (isLatitude: Bool, sign: Double)? {
        switch letter & 0xDF {
        case UInt8(ascii: "N"): (true, 1)
        case UInt8(ascii: "S"): (true, -1)
        case UInt8(ascii: "E"): (false, 1)
        case UInt8(ascii: "W"): (false, -1)
        default: nil
        }
    }

    /// Returns the degrees of one to three numbers.
    private static func angle(_ numbers: [Double]) throws(InvalidValue) -> Double {
        guard !numbers.isEmpty else { throw .degrees }
        // Only the last number has a fraction, and 60 minutes are a degree.
        guard numbers.dropLast().allSatisfy({ $0 == $0.rounded() }), numbers.dropFirst().allSatisfy({ $0 < 60 }) else {
            throw InvalidValue("minutes and seconds are below 60, and only the last number has a fraction")
        }
        return numbers.reversed().reduce(0) { $0 / 60 + $1 }
    }
}

extension InvalidValue {
    fileprivate static let degrees = InvalidValue(
        "not degrees: they are written as in 45°04'25.0\"N 7°40'49.5\"E or N 45 04.417 E 7 40.825")

    /// The numbers of a coordinate are not on the globe.
    package static let outOfRange = InvalidValue(
        "expected a latitude from -90 to 90 and a longitude from -180 to 180")
}
