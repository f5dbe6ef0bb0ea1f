extension LocationDetails {
    /// Details without any known values.
    @usableFromInline static let unknown = LocationDetails()

    /// Visits the fields that only some receivers report, under gpsd's names.
    @inlinable package func visitFields(_ visitor: inout some LocationFieldVisitor) {
        visitor.number("ecefx", ecefPosition.x, .other)
        visitor.number("ecefy", ecefPosition.y, .other)
        visitor.number("ecefz", ecefPosition.z, .other)
        visitor.number("ecefvx", ecefVelocity.x, .other)
        visitor.number("ecefvy", ecefVelocity.y, .other)
        visitor.number("ecefvz", ecefVelocity.z, .other)
        visitor.number("ecefpAcc", ecefPositionAccuracy, .other)
        visitor.number("ecefvAcc", ecefVelocityAccuracy, .other)
        visitor.number("velN", velocityNED.x, .speed)
        visitor.number("velE", velocityNED.y, .speed)
        visitor.number("velD", velocityNED.z, .speed)
        visitor.number("relN", relativeNED.x, .length)
        visitor.number("relE", relativeNED.y, .length)
        visitor.number("relD", relativeNED.z, .length)
        visitor.number("errEllMaj", errorEllipseMajor, .length)
        visitor.number("errEllMin", errorEllipseMinor, .length)
        visitor.number("errEllOr", errorEllipseOrientation, .other)
        visitor.number("dgpsAge", dgpsAge, .other)
        visitor.count("dgpsSta", dgpsStation)
        visitor.count("leapseconds", leapSeconds)
        visitor.word("datum", datum)
        visitor.number("depth", depth, .length)
        visitor.number("temp", temperature, .other)
        visitor.number("wtemp", waterTemperature, .other)
        visitor.number("wangler", windAngleApparent, .other)
        visitor.number("wanglem", windAngleMagnetic, .other)
        visitor.number("wanglet", windAngleTrue, .other)
        visitor.number("wspeedr", windSpeedApparent, .speed)
        visitor.number("wspeedt", windSpeedTrue, .speed)
        visitor.count("ant", antennaStatus)
        visitor.count("jam", jamming)
    }
}
