public import LocationCore

extension TrackPoint {
    @usableFromInline static let noDetails = LocationDetails()

    /// Visits the fields that only some receivers report, under gpsd's names.
    @inlinable package func visitDetails(_ visitor: inout some PointFieldVisitor) {
        guard visitor.wantsAbsent || location.hasDetails else { return }
        let details = location.details ?? Self.noDetails
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
