/// One NMEA 0183 sentence.
package struct NMEASentence: Hashable, Sendable {
    /// The bytes of the sentence, from the dollar sign to the line end.
    package private(set) var bytes: [UInt8]

    /// Creates a sentence from its talker, its type (`GGA`) and its fields.
    package init(_ talker: NMEATalker, _ type: String, _ append: (inout NMEAFields) -> Void) {
        var fields = NMEAFields(bytes: [])
        // Nearly every sentence fits, so that this is the only allocation.
        fields.bytes.reserveCapacity(96)
        fields.bytes.append(UInt8(ascii: "$"))
        fields.bytes += talker.rawValue.utf8
        fields.bytes += type.utf8
        append(&fields)
        bytes = fields.bytes
        var checksum: UInt8 = 0
        for byte in bytes { checksum ^= byte }
        // The checksum excludes the dollar sign.
        checksum ^= UInt8(ascii: "$")
        bytes.append(UInt8(ascii: "*"))
        bytes.append(Self.digits[Int(checksum >> 4)])
        bytes.append(Self.digits[Int(checksum & 15)])
        bytes.append(13)
        bytes.append(10)
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
    /// The first letter of a sentence that its maker defines, whose type begins with the maker.
    case proprietary = "P"
}

/// The fields of a sentence; each call appends one, which is empty if its value is unknown.
package struct NMEAFields {
    fileprivate var bytes: [UInt8]

    package mutating func append() { bytes.append(UInt8(ascii: ",")) }

    package mutating func append(_ text: String) {
        append()
        bytes += text.utf8
    }

    /// Appends a whole number with leading zeros up to a width.
    package mutating func append(_ value: Int?, digits: Int = 1) {
        append()
        if let value { DecimalText.append(value, digits: digits, to: &bytes) }
    }

    package mutating func append(_ value: Double?, decimals: Int) {
        append()
        if let value, value.isFinite { DecimalText.append(value, decimals: decimals, to: &bytes) }
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
        DecimalText.append((civil.hour * 100 + civil.minute) * 100 + civil.second, digits: 6, to: &bytes)
        bytes.append(UInt8(ascii: "."))
        DecimalText.append(civil.nanosecond / 1_000_000, digits: 3, to: &bytes)
    }

    /// Appends the date as `ddmmyy`.
    package mutating func append(dateOf time: Timestamp?) {
        append()
        guard let civil = time?.civil else { return }
        DecimalText.append((civil.day * 100 + civil.month) * 100 + civil.year % 100, digits: 6, to: &bytes)
    }

    /// Appends latitude and longitude with their hemispheres, as four fields.
    ///
    /// - Parameters:
    ///   - coordinate: The coordinate.
    ///   - decimals: The number of decimals of the minutes.
    package mutating func append(_ coordinate: Coordinate?, decimals: Int) {
        append()
        guard let coordinate else {
            for _ in 0..<3 { append() }
            return
        }
        DecimalText.append(degreesMinutes: coordinate.latitude, degreeDigits: 2, decimals: decimals, to: &bytes)
        append(coordinate.latitude < 0 ? "S" : "N")
        append()
        DecimalText.append(degreesMinutes: coordinate.longitude, degreeDigits: 3, decimals: decimals, to: &bytes)
        append(coordinate.longitude < 0 ? "W" : "E")
    }
}
