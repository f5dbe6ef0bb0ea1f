import LocationCore

extension Location {
    /// The position of a report, or `nil` where it has none: only modes 2 and 3 with a latitude and a longitude that can be.
    init?(_ report: TPVReport) {
        guard report.mode >= 2, let latitude = report.lat, let longitude = report.lon,
            let coordinate = Coordinate(checking: latitude, longitude)
        else { return nil }
        self.init(coordinate: coordinate, fix: report.mode == 2 ? .twoD : .threeD)
        quality = FixQuality(gpsdStatus: report.status ?? 1)
        timestamp = report.time
        device = report.device
        altitudeMSL = report.altMSL
        altitudeHAE = report.altHAE
        geoidSeparation = report.geoidSep
        horizontalAccuracy = report.eph
        longitudeAccuracy = report.epx
        latitudeAccuracy = report.epy
        verticalAccuracy = report.epv
        sphericalAccuracy = report.sep
        timeAccuracy = report.ept
        speed = report.speed
        speedAccuracy = report.eps
        course = report.track
        courseAccuracy = report.epd
        magneticVariation = report.magvar
        courseMagnetic = report.trackFromMagneticNorth
        climb = report.climb
        climbAccuracy = report.epc
        if let details = LocationDetails(report) { self.details = details }
    }

    /// What was known of the same instant, with what a later report of it changes and adds.
    func merged(with later: Location, qualityIsKnown: Bool) -> Location {
        var merged = later
        if !qualityIsKnown { merged.quality = quality }
        for number in Location.numbers where merged[keyPath: number] == nil {
            merged[keyPath: number] = self[keyPath: number]
        }
        if let details { merged.details = details.merged(with: later.details) }
        return merged
    }

    private static let numbers: [WritableKeyPath<Location, Double?> & Sendable] = [
        \.altitudeMSL, \.altitudeHAE, \.geoidSeparation, \.horizontalAccuracy, \.longitudeAccuracy, \.latitudeAccuracy,
        \.verticalAccuracy, \.sphericalAccuracy, \.timeAccuracy, \.speed, \.speedAccuracy, \.course, \.courseAccuracy,
        \.courseMagnetic, \.magneticVariation, \.climb, \.climbAccuracy,
    ]
}

extension LocationDetails {
    /// What only some receivers tell, or `nil` where this one tells nothing of it.
    fileprivate init?(_ report: TPVReport) {
        self.init()
        ecefPosition = Vector3(report.ecefx, report.ecefy, report.ecefz)
        ecefVelocity = Vector3(report.ecefvx, report.ecefvy, report.ecefvz)
        ecefPositionAccuracy = report.ecefpAcc
        ecefVelocityAccuracy = report.ecefvAcc
        velocityNED = Vector3(report.velN, report.velE, report.velD)
        relativeNED = Vector3(report.relN, report.relE, report.relD)
        errorEllipseMajor = report.errEllMaj
        errorEllipseMinor = report.errEllMin
        errorEllipseOrientation = report.errEllOr
        dgpsAge = report.dgpsAge
        dgpsStation = report.dgpsSta
        leapSeconds = report.leapseconds
        datum = report.datum
        depth = report.depth
        temperature = report.temp
        waterTemperature = report.wtemp
        windAngleApparent = report.wangler
        windAngleMagnetic = report.wanglem
        windAngleTrue = report.wanglet
        windSpeedApparent = report.wspeedr
        windSpeedTrue = report.wspeedt
        antennaStatus = report.ant
        jamming = report.jam
        if self == LocationDetails() { return nil }
    }

    fileprivate func merged(with later: LocationDetails?) -> LocationDetails {
        guard var merged = later else { return self }
        for number in LocationDetails.numbers where merged[keyPath: number] == nil {
            merged[keyPath: number] = self[keyPath: number]
        }
        for number in LocationDetails.integers where merged[keyPath: number] == nil {
            merged[keyPath: number] = self[keyPath: number]
        }
        merged.datum = merged.datum ?? datum
        return merged
    }

    private static let numbers: [WritableKeyPath<LocationDetails, Double?> & Sendable] = [
        \.ecefPosition.x, \.ecefPosition.y, \.ecefPosition.z, \.ecefVelocity.x, \.ecefVelocity.y, \.ecefVelocity.z,
        \.ecefPositionAccuracy, \.ecefVelocityAccuracy, \.velocityNED.x, \.velocityNED.y, \.velocityNED.z,
        \.relativeNED.x, \.relativeNED.y, \.relativeNED.z, \.errorEllipseMajor, \.errorEllipseMinor,
        \.errorEllipseOrientation, \.dgpsAge, \.depth, \.temperature, \.waterTemperature, \.windAngleApparent,
        \.windAngleMagnetic, \.windAngleTrue, \.windSpeedApparent, \.windSpeedTrue,
    ]

    private static let integers: [WritableKeyPath<LocationDetails, Int?> & Sendable] = [
        \.dgpsStation, \.leapSeconds, \.antennaStatus, \.jamming,
    ]
}

extension TPVReport {
    /// The course from magnetic north; reckoned, as gpsd's own figure has been seen with the sign of the variation wrong.
    fileprivate var trackFromMagneticNorth: Double? {
        guard let track, let magvar else { return magtrack }
        let magnetic = (track - magvar).truncatingRemainder(dividingBy: 360)
        return magnetic < 0 ? magnetic + 360 : magnetic
    }
}
