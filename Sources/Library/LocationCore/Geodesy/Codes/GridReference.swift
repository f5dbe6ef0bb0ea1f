/// A reference of the Military Grid Reference System, such as 32TLQ9613191974.
package enum GridReference {
    /// The letters of the columns of squares, which repeat every three zones, by the remainder of the zone.
    private static let columns = ["STUVWXYZ", "ABCDEFGH", "JKLMNPQR"].map(Array.init)
    /// The letters of the rows of squares, which repeat every 2,000 km and begin five rows later in zones of an even number.
    private static let rows = Array("ABCDEFGHJKLMNPQRSTUV")
    private static let square = 100_000

    /// Returns the reference of a position, to the metre.
    package static func text(of position: UTMPosition) -> String {
        let (east, north) = (Int(clamping: position.easting), Int(clamping: position.northing))
        // Even the widest zone lies within the eight columns.
        let column = columns[position.zone % 3][min(7, max(0, east / square - 1))]
        let row = rows[(north / square + firstRow(position.zone)) % rows.count]
        return "\(DecimalText.padded(position.zone, to: 2))\(position.band)\(column)\(row)"
            + DecimalText.padded(east % square, to: 5) + DecimalText.padded(north % square, to: 5)
    }

    private static func firstRow(_ zone: Int) -> Int { zone % 2 == 0 ? 5 : 0 }

    /// Returns whether a text has the form of a reference: one or two digits, three letters, and an even number of digits.
    static func isForm(_ text: some StringProtocol) -> Bool {
        let bytes = Array(text.utf8).filter { $0 != UInt8(ascii: " ") }
        let zone = bytes.prefix { 0x30...0x39 ~= $0 }.count
        let letters = bytes.dropFirst(zone).prefix { 0x41...0x5A ~= $0 & 0xDF }.count
        let digits = bytes.dropFirst(zone + letters)
        return 1...2 ~= zone && letters == 3 && digits.allSatisfy { 0x30...0x39 ~= $0 } && digits.count % 2 == 0
    }

    /// Returns the middle of the square of a reference; throws if the text is none.
    static func coordinate(of text: some StringProtocol) throws(InvalidValue) -> Coordinate {
        let compact = text.uppercased().filter { $0 != " " }
        let zoneLength = compact.prefix(while: \.isNumber).count
        let letters = Array(compact.dropFirst(zoneLength).prefix(3))
        let digits = compact.dropFirst(zoneLength + 3)
        guard isForm(compact), digits.utf8.count <= 10, let zone = Int(compact.prefix(zoneLength)), 1...60 ~= zone,
            let column = columns[zone % 3].firstIndex(of: letters[1]), let row = rows.firstIndex(of: letters[2])
        else { throw InvalidValue("not a reference of MGRS: they are written as in 32TLQ9613191974") }
        // The metres that the last digits of the reference count.
        let unit = (0..<(digits.utf8.count / 2)).reduce(Double(square)) { unit, _ in unit / 10 }
        func offset(_ digits: Substring) -> Double { (Double(digits) ?? 0) * unit + unit / 2 }
        let east = Double((column + 1) * square) + offset(digits.prefix(digits.utf8.count / 2))
        let north =
            Double((row + rows.count - firstRow(zone)) % rows.count * square)
            + offset(digits.suffix(digits.utf8.count / 2))
        // The rows repeat every 2,000 km, and a band is 900 km high.
        let places = (0..<5).compactMap { repetition in
            UTMPosition(
                zone: zone, band: letters[0], easting: east, northing: north + Double(repetition * rows.count * square))?
                .coordinate(within: unit / 2)
        }
        guard let place = places.first else {
            throw InvalidValue("not a reference of MGRS: band \(letters[0]) of zone \(zone) has no such square")
        }
        return place
    }
}
