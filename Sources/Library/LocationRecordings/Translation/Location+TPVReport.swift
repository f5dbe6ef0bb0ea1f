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
    package var position: Coordinate? {
        var faults: ImplausibleFields = []
        return position(&faults)
    }
}

extension TPVReport {
    /// Sets numbers of the struct in memory, and inserts those that are implausible into `faults`.
    @inline(__always)
    fileprivate func setNumbers(
        _ places: FieldSet, in bytes: UnsafeMutableRawBufferPointer, _ faults: inout ImplausibleFields
    ) {
        places.forEach { place in
            let field = LocationNumbers.fields[place]
            field.set(faults.checked(numbers[place], field, at: place), in: bytes)
        }
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
        withUnsafeMutableBytes(of: &self) { report.setNumbers(report.known.subtracting(.details), in: $0, &faults) }
        leaveOutEmptyAccuracies()
        completeMagneticCourse()
        defer { completeHeading() }
        let detailed = report.known.intersection(.details)
        guard report.datum != nil || !detailed.isEmpty else { return }
        var details = LocationDetails()
        withUnsafeMutableBytes(of: &details) { report.setNumbers(detailed, in: $0, &faults) }
        details.datum = report.datum
        self.details = details
    }

    /// Leaves out accuracies of zero, with which receivers say that they state none.
    private mutating func leaveOutEmptyAccuracies() {
        if horizontalAccuracy == 0 { horizontalAccuracy = nil }
        if verticalAccuracy == 0 { verticalAccuracy = nil }
        if longitudeAccuracy == 0 { longitudeAccuracy = nil }
        if latitudeAccuracy == 0 { latitudeAccuracy = nil }
        if sphericalAccuracy == 0 { sphericalAccuracy = nil }
    }

    /// Sets the course from magnetic north to what the course and the variation give, if both are known.
    package mutating func completeMagneticCourse() {
        courseMagnetic = Self.magneticCourse(course, magneticVariation) ?? courseMagnetic
    }

    /// Computes the course from magnetic north; gpsd's own value has been seen with the wrong sign of the variation.
    private static func magneticCourse(_ track: Double?, _ magvar: Double?) -> Double? {
        guard let track, let magvar else { return nil }
        return turned(track, by: -magvar)
    }

    /// Returns the location updated with the values of a later report of the same epoch.
    func merged(with later: Location, qualityIsKnown: Bool) -> Location {
        var merged = later
        if !qualityIsKnown { merged.quality = quality }
        merged.fillNumbers(from: self)
        // The magnetic course of an earlier report does not belong to another course.
        merged.courseMagnetic =
            Self.magneticCourse(merged.course, merged.magneticVariation) ?? later.courseMagnetic
            ?? (merged.course == course ? courseMagnetic : nil)
        merged.completeHeading()
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

extension Double? {
    /// Takes an earlier accuracy if it is smaller and its value has moved by no more than it.
    fileprivate mutating func limit(to earlier: Double?, moved distance: Double) {
        if let value = self, let earlier, earlier < value, distance <= earlier { self = earlier }
    }
}
