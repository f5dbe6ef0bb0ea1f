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

extension Location {
    /// Creates a location from a report, without implausible values.
    package init(_ report: borrowing TPVReport, at coordinate: Coordinate) {
        var faults: ImplausibleFields = []
        self.init(LocationDraft(report, at: coordinate, &faults))
    }

    /// Returns the location updated with the values of a later report of the same epoch.
    func merged(with later: Location, qualityIsKnown: Bool) -> Location {
        var merged = LocationDraft(later)
        if !qualityIsKnown { merged.facts.quality = quality }
        merged.facts.datum = later.datum ?? datum
        merged.numbers.fill(from: numbers)
        // The magnetic course of an earlier report does not belong to another course.
        merged[.courseMagnetic] =
            merged.magneticCourse ?? later.courseMagnetic ?? (merged[.course] == course ? courseMagnetic : nil)
        merged.completeHeading()
        merged.keepSmallerAccuracies(of: self)
        merged.facts.isLate = isLate
        merged.facts.received = received
        return Location(merged)
    }
}

extension LocationDraft {
    /// Creates a draft from a report, without implausible values, whose fields are inserted into `faults`.
    init(_ report: borrowing TPVReport, at coordinate: Coordinate, _ faults: inout ImplausibleFields) {
        self.init(
            Location.Facts(
                coordinate: coordinate, fix: report.mode == 2 ? .twoD : .threeD,
                quality: FixQuality(gpsdStatus: faults.checked(report.status, .status) ?? 1), timestamp: report.time,
                device: report.receiver, datum: report.datum))
        let empty = Self.emptyAccuracies
        faults.check(report.numbers, into: &numbers) { $0 & empty == 0 || $1 != 0 }
        completeMagneticCourse()
        completeHeading()
    }

    /// The accuracies of which receivers say by a zero that they state none.
    private static let emptyAccuracies: UInt64 = [
        .horizontalAccuracy, .verticalAccuracy, .longitudeAccuracy, .latitudeAccuracy, .sphericalAccuracy,
    ].bits

    /// Sets the course from magnetic north to what the course and the variation give, if both are known.
    package mutating func completeMagneticCourse() {
        if let magneticCourse { self[.courseMagnetic] = magneticCourse }
    }

    /// The course from magnetic north by the course and the variation; gpsd's own value has been seen with the wrong sign of the
    /// variation.
    fileprivate var magneticCourse: Double? {
        guard let course = self[.course], let variation = self[.magneticVariation] else { return nil }
        return Location.turned(course, by: -variation)
    }

    /// Takes each accuracy from an earlier report of the same epoch if it is smaller there and the values it belongs to
    /// have moved by no more than it.
    fileprivate mutating func keepSmallerAccuracies(of earlier: Location) {
        let degrees = max(
            Self.turn(facts.coordinate.latitude, earlier.coordinate.latitude),
            Self.turn(facts.coordinate.longitude, earlier.coordinate.longitude))
        let ground = degrees * 111_200
        let height = max(step(.altitudeMSL, earlier), step(.altitudeHAE, earlier))
        limit(.horizontalAccuracy, to: earlier, moved: ground)
        limit(.longitudeAccuracy, to: earlier, moved: ground)
        limit(.latitudeAccuracy, to: earlier, moved: ground)
        limit(.sphericalAccuracy, to: earlier, moved: ground)
        limit(.verticalAccuracy, to: earlier, moved: height)
        limit(.timeAccuracy, to: earlier, moved: 0)
        limit(.speedAccuracy, to: earlier, moved: step(.speed, earlier))
        limit(.courseAccuracy, to: earlier, moved: Self.turn(self[.course], earlier.course))
        limit(.climbAccuracy, to: earlier, moved: step(.climb, earlier))
    }

    /// Takes an earlier accuracy if it is smaller and its value has moved by no more than it.
    private mutating func limit(_ field: Location.Field, to earlier: Location, moved distance: Double) {
        if let value = self[field], let smaller = earlier[field], smaller < value, distance <= smaller {
            self[field] = smaller
        }
    }

    /// Returns the distance of a number from an earlier one, or 0 if one of them is unknown.
    private func step(_ field: Location.Field, _ earlier: Location) -> Double { Self.step(self[field], earlier[field]) }

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
