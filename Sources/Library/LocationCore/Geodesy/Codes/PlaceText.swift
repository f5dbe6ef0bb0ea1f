/// A place as people write it: decimal degrees, degrees with minutes and seconds, a geo: URI, or a code of a grid.
package enum PlaceText {
    /// The form of a place, for messages.
    package static let allowed =
        "a place such as 45.0703,7.6869, 45°04'13\"N 7°41'13\"E, 8FQ93MCP+4Q, JN35ub, geohash:u0j2qu, 32TLQ9663491598, "
        + "\"32T 396634 4991599\" or geo:45.0703,7.6869"

    private static let geoPrefix = "geo:"
    private static let geohashPrefix = "geohash:"

    /// Reads a place from the first of some parts that were separated by commas, and removes what it has used: two of degrees, and one of
    /// a code.
    package static func read(_ parts: inout ArraySlice<Substring>) throws(InvalidValue) -> Coordinate {
        guard let first = parts.popFirst() else { throw .noPlace }
        if first.lowercased().hasPrefix(geoPrefix) {
            guard let second = parts.popFirst() else { throw .geo }
            return try geo(first.dropFirst(geoPrefix.count), second)
        }
        if PlainNumber.read(first, signed: true) != nil {
            guard let second = parts.popFirst() else {
                throw InvalidValue("expected a longitude after the latitude, as in 45.0703,7.6869")
            }
            return try decimal(first, second)
        }
        // Before degrees, because N, S, E and W are bands of latitude, too.
        if UTMPosition.isForm(first) { return try UTMPosition.coordinate(of: first) }
        if isDegrees(first) {
            guard DegreesText.count(in: first) == 1, let second = parts.popFirst() else {
                return try DegreesText.coordinate(of: first)
            }
            return try DegreesText.coordinate(of: first + "," + second)
        }
        return try code(first)
    }

    /// Reads a place that is the whole text.
    package static func read(_ text: some StringProtocol) throws(InvalidValue) -> Coordinate {
        var parts = Substring(text).split(separator: ",", omittingEmptySubsequences: false)[...]
        let place = try read(&parts)
        guard parts.isEmpty else { throw .noPlace }
        return place
    }

    private static func code(_ text: Substring) throws(InvalidValue) -> Coordinate {
        if text.lowercased().hasPrefix(geohashPrefix) {
            return try Geohash.area(of: text.dropFirst(geohashPrefix.count)).center
        }
        if text.utf8.contains(UInt8(ascii: "+")) { return try PlusCode.area(of: text).center }
        if MaidenheadLocator.isForm(text) { return try MaidenheadLocator.area(of: text).center }
        if GridReference.isForm(text) { return try GridReference.coordinate(of: text) }
        if text.utf8.contains(UInt8(ascii: " ")) { return try UTMPosition.coordinate(of: text) }
        // Many words and locators are also geohashes, so these have a prefix. A word has no digit, and most geohashes have one.
        guard !text.utf8.contains(where: { 0x30...0x39 ~= $0 }) || (try? Geohash.area(of: text)) == nil else {
            throw InvalidValue(
                "a geohash is written with its prefix, as in \(geohashPrefix)\(VisibleText.of(String(text)))")
        }
        throw .noPlace
    }

    /// Returns whether a text begins with an angle of degrees: its letters are those of hemispheres, and it has digits.
    private static func isDegrees(_ text: Substring) -> Bool {
        let letters = text.utf8.filter { 0x41...0x5A ~= $0 & 0xDF }
        return 1...2 ~= letters.count && DegreesText.count(in: text) == letters.count
            && text.utf8.contains { 0x30...0x39 ~= $0 }
    }

    private static func decimal(_ latitude: Substring, _ longitude: Substring) throws(InvalidValue) -> Coordinate {
        guard let latitude = PlainNumber.read(latitude, signed: true),
            let longitude = PlainNumber.read(longitude, signed: true)
        else { throw .noPlace }
        guard let coordinate = Coordinate(checking: latitude, longitude) else { throw .outOfRange }
        return coordinate
    }

    /// Reads the numbers of a geo: URI, whose accuracy says nothing about the place.
    private static func geo(_ latitude: Substring, _ longitude: Substring) throws(InvalidValue) -> Coordinate {
        let words = longitude.split(separator: ";", omittingEmptySubsequences: false)
        let parameters = words.dropFirst().map { $0.lowercased() }
        guard let number = words.first, parameters.allSatisfy({ $0.hasPrefix("u=") || $0 == "crs=wgs84" }) else {
            throw .geo
        }
        return try decimal(latitude, number)
    }
}

extension InvalidValue {
    fileprivate static let noPlace = InvalidValue("expected \(PlaceText.allowed)")
    fileprivate static let geo = InvalidValue("not a geo: URI of a place: they are written as in geo:45.0703,7.6869")
}
