package struct NMEASentence: Hashable, Sendable {
    /// The bytes of the sentence, from the dollar sign to the line end.
    package private(set) var bytes: [UInt8]

    /// Creates a sentence from its talker, its type (`GGA`) and its fields.
    package init(_ talker: NMEATalker, _ type: String, _ append: (inout NMEAFields) -> Void) {
        var fields = NMEAFields()
        fields.out.put(UInt8(ascii: "$"))
        fields.out.put(talker.rawValue)
        fields.out.put(type)
        append(&fields)
        // The checksum excludes the dollar sign.
        let checksum = fields.out.written.reduce(UInt8(ascii: "$"), ^)
        fields.out.put(UInt8(ascii: "*"))
        fields.out.put(Self.digits[Int(checksum >> 4)])
        fields.out.put(Self.digits[Int(checksum & 15)])
        fields.out.put("\r\n")
        bytes = fields.out.bytes
    }

    private static let digits = Array("0123456789ABCDEF".utf8)
}

/// The source of a sentence: one satellite system, or several combined.
package enum NMEATalker: String, Hashable, Sendable {
    case gps = "GP"
    case glonass = "GL"
    case galileo = "GA"
    case beidou = "GB"
    case qzss = "GQ"
    case navic = "GI"
    case combined = "GN"
    /// A compass that finds true north, a magnetic compass, and an indicator of the rate of turn.
    case gyrocompass = "HE"
    case magneticCompass = "HC"
    case turnIndicator = "TI"
    /// The first letter of a sentence that its maker defines, whose type begins with the maker.
    case proprietary = "P"
}

/// The fields of a sentence; each call appends one, which is empty if its value is unknown.
package struct NMEAFields {
    fileprivate var out = TextBuffer()

    package mutating func append() { out.put(UInt8(ascii: ",")) }

    package mutating func append(_ text: String) {
        append()
        out.put(text)
    }

    /// Appends a whole number with leading zeros up to a width.
    package mutating func append(_ value: Int?, digits: Int = 1) {
        append()
        if let value { put(value, digits: digits) }
    }

    package mutating func append(_ value: Double?, decimals: Int) {
        append()
        if let value, value.isFinite { out.put(fixed: value, decimals: decimals) }
    }

    /// Appends a dilution of precision, which has at most two digits before the point.
    package mutating func append(dilution value: Double?, decimals: Int) {
        append(value.flatMap { $0 >= 0 ? min($0, decimals == 2 ? 99.99 : 99.9) : nil }, decimals: decimals)
    }

    /// Appends a number and its unit, as two fields; without a number both are empty.
    package mutating func append(_ value: Double?, decimals: Int, unit: String) {
        append(value, decimals: decimals)
        append(value?.isFinite == true ? unit : "")
    }

    /// Appends the time of day as `hhmmss.sss`, truncated to milliseconds.
    package mutating func append(timeOf time: Timestamp?) {
        append()
        guard let civil = time?.civil else { return }
        put((civil.hour * 100 + civil.minute) * 100 + civil.second, digits: 6)
        out.put(UInt8(ascii: "."))
        put(civil.nanosecond / 1_000_000, digits: 3)
    }

    /// Appends the date as `ddmmyy`.
    package mutating func append(dateOf time: Timestamp?) {
        append()
        guard let civil = time?.civil else { return }
        put((civil.day * 100 + civil.month) * 100 + civil.year % 100, digits: 6)
    }

    /// Appends latitude and longitude with their hemispheres, as four fields.
    package mutating func append(_ coordinate: Coordinate?, decimals: Int) {
        append()
        guard let coordinate else {
            for _ in 0..<3 { append() }
            return
        }
        put(angle: coordinate.latitude, degreeDigits: 2, decimals: decimals)
        append(coordinate.latitude < 0 ? "S" : "N")
        append()
        put(angle: coordinate.longitude, degreeDigits: 3, decimals: decimals)
        append(coordinate.longitude < 0 ? "W" : "E")
    }

    private mutating func put(_ value: Int, digits: Int) {
        if value < 0 { out.put(UInt8(ascii: "-")) }
        out.put(digits: UInt64(value.magnitude), width: digits)
    }

    /// Appends the magnitude of an angle as degrees and minutes in one number, `ddmm.mmmmmm`.
    private mutating func put(angle: Double, degreeDigits: Int, decimals: Int) {
        guard let angle = SexagesimalAngle(angle, in: .minutes, decimals: decimals) else { return }
        out.put(digits: angle.degrees, width: degreeDigits)
        out.put(digits: angle.units, width: 2)
        out.put(UInt8(ascii: "."))
        out.put(digits: angle.fraction, width: angle.decimals)
    }
}
