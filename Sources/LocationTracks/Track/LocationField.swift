import LocationCore

/// The numbers of a location under gpsd's names, in the order in which they are written.
struct LocationField: Sendable {
    let name: StaticString
    let value: @Sendable (borrowing Location) -> Double?

    init(_ name: StaticString, _ value: @escaping @Sendable (borrowing Location) -> Double?) {
        self.name = name
        self.value = value
    }

    /// The fields of which nearly every receiver reports some.
    static let ordinary: [LocationField] = [
        .init("altMSL") { $0.altitudeMSL }, .init("altHAE") { $0.altitudeHAE },
        .init("geoidSep") { $0.geoidSeparation },
        .init("eph") { $0.horizontalAccuracy }, .init("epx") { $0.longitudeAccuracy },
        .init("epy") { $0.latitudeAccuracy }, .init("epv") { $0.verticalAccuracy },
        .init("sep") { $0.sphericalAccuracy },
        .init("ept") { $0.timeAccuracy }, .init("speed") { $0.speed }, .init("eps") { $0.speedAccuracy },
        .init("track") { $0.course }, .init("epd") { $0.courseAccuracy }, .init("magtrack") { $0.courseMagnetic },
        .init("magvar") { $0.magneticVariation }, .init("climb") { $0.climb }, .init("epc") { $0.climbAccuracy },
    ]
}

/// The numbers of a location's details under gpsd's names.
struct DetailField: Sendable {
    let name: StaticString
    let value: @Sendable (borrowing LocationDetails) -> Double?

    init(_ name: StaticString, _ value: @escaping @Sendable (borrowing LocationDetails) -> Double?) {
        self.name = name
        self.value = value
    }

    static let all: [DetailField] = [
        .init("ecefx") { $0.ecefPosition.x }, .init("ecefy") { $0.ecefPosition.y },
        .init("ecefz") { $0.ecefPosition.z },
        .init("ecefvx") { $0.ecefVelocity.x }, .init("ecefvy") { $0.ecefVelocity.y },
        .init("ecefvz") { $0.ecefVelocity.z }, .init("ecefpAcc") { $0.ecefPositionAccuracy },
        .init("ecefvAcc") { $0.ecefVelocityAccuracy }, .init("velN") { $0.velocityNED.x },
        .init("velE") { $0.velocityNED.y }, .init("velD") { $0.velocityNED.z }, .init("relN") { $0.relativeNED.x },
        .init("relE") { $0.relativeNED.y }, .init("relD") { $0.relativeNED.z },
        .init("errEllMaj") { $0.errorEllipseMajor }, .init("errEllMin") { $0.errorEllipseMinor },
        .init("errEllOr") { $0.errorEllipseOrientation }, .init("dgpsAge") { $0.dgpsAge },
        .init("dgpsSta") { $0.dgpsStation.map(Double.init) }, .init("leapseconds") { $0.leapSeconds.map(Double.init) },
        .init("depth") { $0.depth }, .init("temp") { $0.temperature }, .init("wtemp") { $0.waterTemperature },
        .init("wangler") { $0.windAngleApparent }, .init("wanglem") { $0.windAngleMagnetic },
        .init("wanglet") { $0.windAngleTrue }, .init("wspeedr") { $0.windSpeedApparent },
        .init("wspeedt") { $0.windSpeedTrue }, .init("ant") { $0.antennaStatus.map(Double.init) },
        .init("jam") { $0.jamming.map(Double.init) },
    ]
}

/// The dilutions of precision under gpsd's names.
struct DilutionField: Sendable {
    let name: StaticString
    let value: @Sendable (borrowing DilutionOfPrecision) -> Double?

    static let all: [DilutionField] = [
        .init(name: "xdop") { $0.longitude }, .init(name: "ydop") { $0.latitude },
        .init(name: "hdop") { $0.horizontal },
        .init(name: "vdop") { $0.vertical }, .init(name: "pdop") { $0.position }, .init(name: "tdop") { $0.time },
        .init(name: "gdop") { $0.geometric },
    ]
}
