package import LocationCore

extension TPVReport {
    /// Where it says that the receiver is: only modes 2 and 3 with a latitude and a longitude that can be say so.
    package var position: Coordinate? {
        guard mode >= 2, let lat, let lon else { return nil }
        return Coordinate(checking: lat, lon)
    }
}

extension Location {
    /// What a report says of the position that it has.
    package init(_ report: borrowing TPVReport, at coordinate: Coordinate) {
        self.init(
            coordinate: coordinate, fix: report.mode == 2 ? .twoD : .threeD, timestamp: report.time,
            device: report.device)
        quality = FixQuality(gpsdStatus: report.status ?? 1)
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
        if report.hasDetails { details = LocationDetails(report) }
    }

    /// What was known of the same instant, with what a later report of it changes and adds.
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
        merged.courseMagnetic.fill(from: courseMagnetic)
        merged.magneticVariation.fill(from: magneticVariation)
        merged.climb.fill(from: climb)
        merged.climbAccuracy.fill(from: climbAccuracy)
        if let details { merged.details = details.merged(with: later.details) }
        return merged
    }
}

extension LocationDetails {
    /// What only some receivers tell of; `TPVReport.hasDetails` knows the same fields.
    fileprivate init(_ report: borrowing TPVReport) {
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
    /// Whether it tells anything that only some receivers tell.
    fileprivate var hasDetails: Bool { tellsMeasuredDetails || tellsCountedDetails || datum != nil }

    /// The course from magnetic north; reckoned, as gpsd's own figure has been seen with the sign of the variation wrong.
    fileprivate var trackFromMagneticNorth: Double? {
        guard let track, let magvar else { return magtrack }
        // As many decimals as gpsd writes: what the subtraction adds behind them is no knowledge.
        let magnetic = ((track - magvar) * 10_000).rounded() / 10_000
        let turned = magnetic.truncatingRemainder(dividingBy: 360)
        return turned < 0 ? turned + 360 : turned
    }
}

extension Optional {
    /// Takes over what is known elsewhere, where nothing is known here.
    fileprivate mutating func fill(from other: Wrapped?) {
        if case nil = self { self = other }
    }
}
