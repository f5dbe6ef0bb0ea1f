import LocationCore

extension ReportedLocation {
    private static let noDetails = LocationDetails()

    /// What only some receivers tell; the keys are gpsd's.
    func visitDetails(_ visitor: inout some LocationFieldVisitor) {
        guard visitor.wantsAbsent || location.hasDetails else { return }
        let details = location.details ?? ReportedLocation.noDetails
        visitor.number("ecefx", details.ecefPosition.x, .other)
        visitor.number("ecefy", details.ecefPosition.y, .other)
        visitor.number("ecefz", details.ecefPosition.z, .other)
        visitor.number("ecefvx", details.ecefVelocity.x, .other)
        visitor.number("ecefvy", details.ecefVelocity.y, .other)
        visitor.number("ecefvz", details.ecefVelocity.z, .other)
        visitor.number("ecefpAcc", details.ecefPositionAccuracy, .other)
        visitor.number("ecefvAcc", details.ecefVelocityAccuracy, .other)
        visitor.number("velN", details.velocityNED.x, .speed)
        visitor.number("velE", details.velocityNED.y, .speed)
        visitor.number("velD", details.velocityNED.z, .speed)
        visitor.number("relN", details.relativeNED.x, .length)
        visitor.number("relE", details.relativeNED.y, .length)
        visitor.number("relD", details.relativeNED.z, .length)
        visitor.number("errEllMaj", details.errorEllipseMajor, .length)
        visitor.number("errEllMin", details.errorEllipseMinor, .length)
        visitor.number("errEllOr", details.errorEllipseOrientation, .other)
        visitor.number("dgpsAge", details.dgpsAge, .other)
        visitor.count("dgpsSta", details.dgpsStation)
        visitor.count("leapseconds", details.leapSeconds)
        visitor.word("datum", details.datum)
        visitor.number("depth", details.depth, .length)
        visitor.number("temp", details.temperature, .other)
        visitor.number("wtemp", details.waterTemperature, .other)
        visitor.number("wangler", details.windAngleApparent, .other)
        visitor.number("wanglem", details.windAngleMagnetic, .other)
        visitor.number("wanglet", details.windAngleTrue, .other)
        visitor.number("wspeedr", details.windSpeedApparent, .speed)
        visitor.number("wspeedt", details.windSpeedTrue, .speed)
        visitor.count("ant", details.antennaStatus)
        visitor.count("jam", details.jamming)
    }
}

/// Collects the keys in their order, by which a name becomes the number of a field.
struct FieldNames: LocationFieldVisitor {
    private(set) var names: [String] = []

    static let csv = collected { $0.visitCSV(&$1) }
    static let all = collected { $0.visit(&$1) }

    private static func collected(_ visit: (ReportedLocation, inout FieldNames) -> Void) -> [String] {
        var names = FieldNames()
        let anywhere = Location(coordinate: Coordinate(latitude: 0, longitude: 0))
        visit(ReportedLocation(location: anywhere, received: Timestamp(nanosecondsSince1970: 0)), &names)
        return names.names
    }

    var wantsAbsent: Bool { true }
    mutating func time(_ key: StaticString, _ value: Timestamp?) { names.append(key.description) }
    mutating func coordinate(_ key: StaticString, _ value: Double, _ axis: CoordinateAxis) {
        names.append(key.description)
    }
    mutating func number(_ key: StaticString, _ value: Double?, _ quantity: Quantity) {
        names.append(key.description)
    }
    mutating func count(_ key: StaticString, _ value: Int?) { names.append(key.description) }
    mutating func word(_ key: StaticString, _ value: String?) { names.append(key.description) }
    mutating func mark(_ key: StaticString, _ value: Bool) { names.append(key.description) }
}
