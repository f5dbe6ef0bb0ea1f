import LocationCore

/// A reader of TCX, Garmin's format of trainings: the points of the tracks, those of a lap after those of the one before.
final class TCXReader: XMLReceiver {
    private enum Field { case time, latitude, longitude, altitude, speed }

    private let collector: PointCollector
    /// The current line, for messages.
    private let line: () -> Int
    let fault: TrackFault? = nil

    /// The values of the current point, or `nil` between points.
    private var values: [Field: Double]?
    private var time: Timestamp?
    private var field: Field?
    private var value = ValueText()
    private var isFirstOfSegment = true
    /// Whether the current element is an extension, of which only the speed is read.
    private var isInExtensions = false

    init(_ collector: PointCollector, line: @escaping () -> Int) {
        self.collector = collector
        self.line = line
    }

    private static func field(_ name: XMLName) -> Field? {
        if name == "Time" { return .time }
        if name == "LatitudeDegrees" { return .latitude }
        if name == "LongitudeDegrees" { return .longitude }
        if name == "AltitudeMeters" { return .altitude }
        // An extension of Garmin's, whatever the prefix.
        if name == "Speed" { return .speed }
        return nil
    }

    func start(_ name: XMLName, _ attributes: XMLAttributes) {
        if name == "Trackpoint" {
            values = [:]
            time = nil
        } else if name == "Track" {
            isFirstOfSegment = true
        } else if values != nil {
            if name == "Extensions" { isInExtensions = true }
            field = Self.field(name)
            if isInExtensions, field != .speed { field = nil }
            value.clear()
        }
    }

    var wantsText: Bool { field != nil && !value.isTooLong }

    func text(_ bytes: UnsafeBufferPointer<UInt8>) { value.append(bytes) }

    func end(_ name: XMLName) {
        switch field {
        case .time?: time = value.time
        case let field?: values?[field] = value.number
        case nil: break
        }
        field = nil
        if name == "Extensions" { isInExtensions = false }
        guard name == "Trackpoint", let values else { return }
        self.values = nil
        // A point without a position has another measurement, such as the pulse.
        guard let latitude = values[.latitude], let longitude = values[.longitude] else { return }
        guard let place = Coordinate(checking: latitude, longitude) else {
            return collector.skip("line \(line()): its latitude and longitude are not numbers in range")
        }
        let altitude = values[.altitude]
        var point = TrackPoint(Location(coordinate: place, fix: altitude == nil ? .twoD : .threeD))
        point.location.timestamp = time
        point.location.altitudeMSL = altitude
        if let speed = values[.speed], speed >= 0 { point.location.speed = speed }
        collector.add(point, .track, startsSegment: isFirstOfSegment)
        isFirstOfSegment = false
    }
}
