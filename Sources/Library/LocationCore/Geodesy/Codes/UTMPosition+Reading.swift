extension UTMPosition {
    /// Returns whether a text has the form of a position: a zone with a letter, and two numbers.
    static func isForm(_ text: some StringProtocol) -> Bool {
        let words = text.split(separator: " ")
        return words.count == 3 && zoneAndBand(words[0]) != nil
            && words[1...].allSatisfy { PlainNumber.read($0) != nil }
    }

    /// Reads a zone with its band, an easting and a northing, as in `32T 396131 4991975`; throws if the text is none.
    static func coordinate(of text: some StringProtocol) throws(InvalidValue) -> Coordinate {
        let words = text.split(separator: " ")
        guard isForm(text), let (zone, band) = zoneAndBand(words[0]), let easting = PlainNumber.read(words[1]),
            let northing = PlainNumber.read(words[2])
        else { throw InvalidValue("not a position of UTM: they are written as in 32T 396131 4991975") }
        guard let position = UTMPosition(zone: zone, band: band, easting: easting, northing: northing) else {
            throw InvalidValue(
                "not a position of UTM: zones are 1 to 60, bands C to X without I and O, eastings up to 1000000, "
                    + "northings up to 10000000")
        }
        guard let coordinate = position.coordinate() else {
            throw InvalidValue(
                "not a position of UTM: it does not lie in zone \(zone) and band \(band), which is a band of latitude "
                    + "and not the hemisphere")
        }
        return coordinate
    }

    /// Reads the number of a zone and the letter of a band, as in `32T`.
    static func zoneAndBand(_ text: some StringProtocol) -> (zone: Int, band: Character)? {
        let digits = text.utf8.prefix { 0x30...0x39 ~= $0 }.count
        guard 1...2 ~= digits, text.utf8.count == digits + 1, let zone = Int(text.prefix(digits)), let last = text.last
        else { return nil }
        return (zone, Character(last.uppercased()))
    }
}
