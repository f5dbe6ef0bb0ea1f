package import LocationCore

extension TPVReport {
    /// The receiver's name, or `nil` if gpsd left it empty.
    var receiver: String? { device.flatMap { $0.isEmpty ? nil : $0 } }

    /// Returns the position of the report, if it has mode 2 or 3 and a plausible latitude and longitude.
    func position(_ faults: inout ImplausibleFields) -> Coordinate? {
        guard mode >= 2 else { return nil }
        let (latitude, longitude) = (faults.checked(lat, .lat), faults.checked(lon, .lon))
        guard let latitude, let longitude else { return nil }
        return Coordinate(checking: latitude, longitude)
    }
}

extension TPVReport {
    /// The position of the report, if any.
    package var position: Coordinate? {
        var faults: ImplausibleFields = []
        return position(&faults)
    }
}

extension Location {
    /// Creates a location from a report, without implausible values.
    package init(_ report: borrowing TPVReport, at coordinate: Coordinate) {
        var faults: ImplausibleFields = []
        self.init(report, at: coordinate, &faults)
    }

    /// Creates a location from a report, without implausible values, whose fields are inserted into `faults`.
    init(_ report: borrowing TPVReport, at coordinate: Coordinate, _ faults: inout ImplausibleFields) {
        self.init(
            coordinate: coordinate, fix: report.mode == 2 ? .twoD : .threeD, timestamp: report.time,
            device: report.receiver)
        quality = FixQuality(gpsdStatus: faults.checked(report.status, .status) ?? 1)
        altitudeMSL = faults.checked(report.altMSL, .altMSL)
        altitudeHAE = faults.checked(report.altHAE, .altHAE)
        geoidSeparation = faults.checked(report.geoidSep, .geoidSep)
        horizontalAccuracy = faults.checked(report.eph, .eph)
        longitudeAccuracy = faults.checked(report.epx, .epx)
        latitudeAccuracy = faults.checked(report.epy, .epy)
        verticalAccuracy = faults.checked(report.epv, .epv)
        sphericalAccuracy = faults.checked(report.sep, .sep)
        timeAccuracy = faults.checked(report.ept, .ept)
        speed = faults.checked(report.speed, .speed)
        speedAccuracy = faults.checked(report.eps, .eps)
        course = faults.checked(report.track, .track)
        courseAccuracy = faults.checked(report.epd, .epd)
        magneticVariation = faults.checked(report.magvar, .magvar)
        courseMagnetic =
            Self.magneticCourse(course, magneticVariation) ?? faults.checked(report.magtrack, .magtrack)
        climb = faults.checked(report.climb, .climb)
        climbAccuracy = faults.checked(report.epc, .epc)
        if report.hasDetails { details = LocationDetails(report, &faults) }
    }

    /// Computes the course from magnetic north; gpsd's own value has been seen with the wrong sign of the variation.
    private static func magneticCourse(_ track: Double?, _ magvar: Double?) -> Double? {
        guard let track, let magvar else { return nil }
        // Rounded to the decimals that gpsd writes, because further digits of the difference mean nothing.
        let magnetic = ((track - magvar) * 10_000).rounded() / 10_000
        let turned = magnetic.truncatingRemainder(dividingBy: 360)
        return turned < 0 ? turned + 360 : turned
    }

    /// Returns the location updated with the values of a later report of the same epoch.
    func merged(with later: Location, qualityIsKnown: Bool) -> Location {
        var merged = later
        if !qualityIsKnown { merged.quality = quality }
        merged.altitudeMSL.fill(from: altitudeMSL)
        merged.altitudeHAE.fill(from: altitudeHAE)
        merged.geoidSeparation.fill(from: geoidSeparation)
        merged.horizontalAccuracy.fill(from: horizontalAccuracy)
        merged.longitudeAccuracy.fill(from: longitudeAccuracy)
        merged.latitudeAccuracy.fill(from: latitudeAccuracy)
        merged.verticalAccuracy.fill(from: verticalAccuracy)
        merged.sphericalAccuracy.fill(from: sphericalAccuracy)
        merged.timeAccuracy.fill(from: timeAccuracy)
        merged.speed.fill(from: speed)
        merged.speedAccuracy.fill(from: speedAccuracy)
        merged.course.fill(from: course)
        merged.courseAccuracy.fill(from: courseAccuracy)
        merged.magneticVariation.fill(from: magneticVariation)
        // The magnetic course of an earlier report does not belong to another course.
        merged.courseMagnetic =
            Self.magneticCourse(merged.course, merged.magneticVariation) ?? later.courseMagnetic
            ?? (merged.course == course ? courseMagnetic : nil)
        merged.climb.fill(from: climb)
        merged.climbAccuracy.fill(from: climbAccuracy)
        if let details { merged.details = details.merged(with: later.details) }
        return merged
    }

    /// Takes each accuracy from an earlier report of the same epoch if it is smaller there and the values it belongs to
    /// have moved by no more than it.
    mutating func keepSmallerAccuracies(of earlier: Location) {
        let degrees = max(
            Self.turn(coordinate.latitude, earlier.coordinate.latitude),
            Self.turn(coordinate.longitude, earlier.coordinate.longitude))
        let ground = degrees * 111_200
        horizontalAccuracy.limit(to: earlier.horizontalAccuracy, moved: ground)
        longitudeAccuracy.limit(to: earlier.longitudeAccuracy, moved: ground)
        latitudeAccuracy.limit(to: earlier.latitudeAccuracy, moved: ground)
        sphericalAccuracy.limit(to: earlier.sphericalAccuracy, moved: ground)
        let height = max(
            Self.step(altitudeMSL, earlier.altitudeMSL), Self.step(altitudeHAE, earlier.altitudeHAE))
        verticalAccuracy.limit(to: earlier.verticalAccuracy, moved: height)
        timeAccuracy.limit(to: earlier.timeAccuracy, moved: 0)
        speedAccuracy.limit(to: earlier.speedAccuracy, moved: Self.step(speed, earlier.speed))
        courseAccuracy.limit(to: earlier.courseAccuracy, moved: Self.turn(course, earlier.course))
        climbAccuracy.limit(to: earlier.climbAccuracy, moved: Self.step(climb, earlier.climb))
    }

    /// Returns the distance between two values, or 0 if one of them is unknown.
    private static func step(_ value: Double?, _ earlier: Double?) -> Double {
        guard let value, let earlier else { return 0 }
        return abs(value - earlier)
    }

    /// Returns the smaller angle between two directions, or 0 if one of them is unknown.
    private static func turn(_ value: Double?, _ earlier: Double?) -> Double {
        let angle = step(value, earlier)
        return min(angle, 360 - angle)
    }
}

extension LocationDetails {
    /// Creates the details that only some receivers report; `TPVReport.hasDetails` tests the same fields.
    fileprivate init(_ report: borrowing TPVReport, _ faults: inout ImplausibleFields) {
        self.init()
        ecefPosition = Vector3(
            faults.checked(report.ecefx, .ecefx), faults.checked(report.ecefy, .ecefy),
            faults.checked(report.ecefz, .ecefz))
        ecefVelocity = Vector3(
            faults.checked(report.ecefvx, .ecefvx), faults.checked(report.ecefvy, .ecefvy),
            faults.checked(report.ecefvz, .ecefvz))
        ecefPositionAccuracy = faults.checked(report.ecefpAcc, .ecefpAcc)
        ecefVelocityAccuracy = faults.checked(report.ecefvAcc, .ecefvAcc)
        velocityNED = Vector3(
            faults.checked(report.velN, .velN), faults.checked(report.velE, .velE), faults.checked(report.velD, .velD))
        relativeNED = Vector3(
            faults.checked(report.relN, .relN), faults.checked(report.relE, .relE), faults.checked(report.relD, .relD))
        errorEllipseMajor = faults.checked(report.errEllMaj, .errEllMaj)
        errorEllipseMinor = faults.checked(report.errEllMin, .errEllMin)
        errorEllipseOrientation = faults.checked(report.errEllOr, .errEllOr)
        dgpsAge = faults.checked(report.dgpsAge, .dgpsAge)
        dgpsStation = faults.checked(report.dgpsSta, .dgpsSta)
        leapSeconds = faults.checked(report.leapseconds, .leapseconds)
        datum = report.datum
        depth = faults.checked(report.depth, .depth)
        temperature = faults.checked(report.temp, .temp)
        waterTemperature = faults.checked(report.wtemp, .wtemp)
        windAngleApparent = faults.checked(report.wangler, .wangler)
        windAngleMagnetic = faults.checked(report.wanglem, .wanglem)
        windAngleTrue = faults.checked(report.wanglet, .wanglet)
        windSpeedApparent = faults.checked(report.wspeedr, .wspeedr)
        windSpeedTrue = faults.checked(report.wspeedt, .wspeedt)
        antennaStatus = faults.checked(report.ant, .ant)
        jamming = faults.checked(report.jam, .jam)
    }

    fileprivate func merged(with later: LocationDetails?) -> LocationDetails {
        guard var merged = later else { return self }
        merged.ecefPosition.x.fill(from: ecefPosition.x)
        merged.ecefPosition.y.fill(from: ecefPosition.y)
        merged.ecefPosition.z.fill(from: ecefPosition.z)
        merged.ecefVelocity.x.fill(from: ecefVelocity.x)
        merged.ecefVelocity.y.fill(from: ecefVelocity.y)
        merged.ecefVelocity.z.fill(from: ecefVelocity.z)
        merged.ecefPositionAccuracy.fill(from: ecefPositionAccuracy)
        merged.ecefVelocityAccuracy.fill(from: ecefVelocityAccuracy)
        merged.velocityNED.x.fill(from: velocityNED.x)
        merged.velocityNED.y.fill(from: velocityNED.y)
        merged.velocityNED.z.fill(from: velocityNED.z)
        merged.relativeNED.x.fill(from: relativeNED.x)
        merged.relativeNED.y.fill(from: relativeNED.y)
        merged.relativeNED.z.fill(from: relativeNED.z)
        merged.errorEllipseMajor.fill(from: errorEllipseMajor)
        merged.errorEllipseMinor.fill(from: errorEllipseMinor)
        merged.errorEllipseOrientation.fill(from: errorEllipseOrientation)
        merged.dgpsAge.fill(from: dgpsAge)
        merged.depth.fill(from: depth)
        merged.temperature.fill(from: temperature)
        merged.waterTemperature.fill(from: waterTemperature)
        merged.windAngleApparent.fill(from: windAngleApparent)
        merged.windAngleMagnetic.fill(from: windAngleMagnetic)
        merged.windAngleTrue.fill(from: windAngleTrue)
        merged.windSpeedApparent.fill(from: windSpeedApparent)
        merged.windSpeedTrue.fill(from: windSpeedTrue)
        merged.dgpsStation.fill(from: dgpsStation)
        merged.leapSeconds.fill(from: leapSeconds)
        merged.antennaStatus.fill(from: antennaStatus)
        merged.jamming.fill(from: jamming)
        merged.datum.fill(from: datum)
        return merged
    }
}

extension TPVReport {
    /// Whether the report has any value that only some receivers report.
    fileprivate var hasDetails: Bool { tellsMeasuredDetails || tellsCountedDetails || datum != nil }

}

extension Optional {
    /// Takes the value from `other` if there is none yet.
    fileprivate mutating func fill(from other: Wrapped?) {
        if case nil = self { self = other }
    }
}

extension Double? {
    /// Takes an earlier accuracy if it is smaller and its value has moved by no more than it.
    fileprivate mutating func limit(to earlier: Double?, moved distance: Double) {
        if let value = self, let earlier, earlier < value, distance <= earlier { self = earlier }
    }
}
