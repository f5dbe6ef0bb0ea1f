import LocationCore

/// A visitor that collects the numbers of a location or of dilutions.
struct GPSDNumbers: LocationFieldVisitor {
    private(set) var members: [(name: StaticString, value: Double?)] = []

    /// The places of those numbers of a location that gpsd reports, in gpsd's order and under its names.
    static let order: [(place: Int, name: StaticString)] = {
        let ordinary = [
            "altMSL", "altHAE", "geoidSep", "eph", "epx", "epy", "epv", "sep", "ept", "speed", "eps", "course", "epd",
            "courseMagnetic", "magvar", "climb", "epc",
        ]
        let renamed: [String: StaticString] = ["course": "track", "courseMagnetic": "magtrack"]
        var location = Location(coordinate: Coordinate(latitude: 0, longitude: 0))
        let plain = GPSDNumbers(location).members.map(\.name.description)
        location.details = LocationDetails()
        let all = GPSDNumbers(location).members.map(\.name)
        let places = ordinary.compactMap { plain.firstIndex(of: $0) } + Array(plain.count..<all.count)
        return places.map { ($0, renamed[all[$0].description] ?? all[$0]) }
    }()

    init(_ location: Location) {
        members.reserveCapacity(64)
        location.visitFields(&self) { _ in }
    }

    init(_ dilution: DilutionOfPrecision) {
        dilution.visitFields(&self)
    }

    var wantsAbsent: Bool { false }
    mutating func time(_ name: StaticString, _ value: Timestamp?) {}
    mutating func coordinate(_ name: StaticString, _ value: Double, _ axis: CoordinateAxis) {}
    mutating func number(_ name: StaticString, _ value: Double?, _ quantity: Quantity) { members.append((name, value)) }
    mutating func count(_ name: StaticString, _ value: Int?) { members.append((name, value.map(Double.init))) }
    mutating func word(_ name: StaticString, _ value: String?) {}
    mutating func mark(_ name: StaticString, _ value: Bool) {}
}
