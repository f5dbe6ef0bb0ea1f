import LocationCore

/// A reader of GPX 1.0 and 1.1: tracks, else routes, else waypoints.
final class GPXReader: XMLReceiver {
    private let collector: PointCollector
    /// The current line, for messages.
    private let line: () -> Int
    private(set) var fault: TrackFault?

    private var point: TrackPoint?
    /// Whether there is a point; the comparison of the point with `nil` copies all of it.
    private var isInPoint = false
    private var kind = PointCollector.Kind.track
    private var field: Field?
    private var value = ValueText()
    /// The number of elements within the point around the current one.
    private var depth = 0
    /// Whether the point has an element with the kind of its fix.
    private var isFixKnown = false
    private var isFirstOfSegment = false
    /// Whether the names of receivers in the file are those of locwatch.
    private var namesReceivers = false
    private var isInSource = false
    private var device: String?
    private var own = OwnPrefix()

    init(_ collector: PointCollector, line: @escaping () -> Int) {
        self.collector = collector
        self.line = line
    }

    /// The elements of a point that are read.
    private enum Field {
        case time, elevation, fix, satellites, speed, course, station, age
        case number(any WritableKeyPath<TrackPoint, Double?> & Sendable)
    }

    private static func field(_ name: XMLName) -> Field? {
        if name == "ele" { return .elevation }
        if name == "time" { return .time }
        if name == "fix" { return .fix }
        if name == "sat" { return .satellites }
        if name == "hdop" { return .number(\.dilution.horizontal) }
        if name == "vdop" { return .number(\.dilution.vertical) }
        if name == "pdop" { return .number(\.dilution.position) }
        if name == "magvar" { return .number(\.location.magneticVariation) }
        if name == "geoidheight" { return .number(\.location.geoidSeparation) }
        if name == "dgpsid" { return .station }
        if name == "ageofdgpsdata" { return .age }
        return motion(name)
    }

    /// Returns the elements that are also read within extensions, where many programs have them under names of their own; other
    /// elements there only share a name with those of the point.
    private static func motion(_ name: XMLName) -> Field? {
        if name == "speed" { return .speed }
        if name == "course" { return .course }
        return nil
    }

    private static func kind(_ name: XMLName) -> PointCollector.Kind? {
        if name == "trkpt" { return .track }
        if name == "rtept" { return .route }
        if name == "wpt" { return .waypoint }
        return nil
    }

    func start(_ name: XMLName, _ attributes: XMLAttributes) {
        if isInPoint {
            depth += 1
            field = depth == 1 && !own.isForeign(name) ? Self.field(name) : Self.motion(name)
            value.clear()
        } else if let kind = Self.kind(name) {
            begin(kind, attributes)
        } else if name == "trkseg" || name == "rte" {
            isFirstOfSegment = true
        } else if name == "trk" {
            device = nil
        } else if name == "src", namesReceivers {
            isInSource = true
            value.clear()
        } else if name == "gpx" {
            own = OwnPrefix(of: name)
            attributes.forEach { name, text in
                if name == "creator" { namesReceivers = text.starts(with: "locwatch".utf8) }
            }
        }
    }

    private func begin(_ kind: PointCollector.Kind, _ attributes: XMLAttributes) {
        var (latitude, longitude): (Double?, Double?) = (nil, nil)
        attributes.forEach { name, text in
            if name == "lat" { latitude = TrackNumber.read(text) }
            if name == "lon" { longitude = TrackNumber.read(text) }
        }
        guard let latitude, let longitude, let place = Coordinate(checking: latitude, longitude) else {
            return collector.skip("line \(line()): its latitude and longitude are not numbers in range")
        }
        self.kind = kind
        isInPoint = true
        point = TrackPoint(Location(coordinate: place, fix: .twoD, device: device))
        depth = 0
        field = nil
        isFixKnown = false
    }

    var wantsText: Bool { (field != nil || isInSource) && !value.isTooLong }

    func text(_ bytes: UnsafeBufferPointer<UInt8>) { value.append(bytes) }

    func end(_ name: XMLName) {
        if let field {
            set(field)
            self.field = nil
        }
        if isInSource, name == "src" {
            isInSource = false
            device = value.text.flatMap { $0.isEmpty ? nil : $0 }
        }
        guard isInPoint else { return }
        guard depth == 0 else {
            depth -= 1
            return
        }
        isInPoint = false
        guard let point else { return }
        collector.add(point, kind, startsSegment: isFirstOfSegment && kind != .waypoint)
        if kind != .waypoint { isFirstOfSegment = false }
    }

    private func set(_ field: Field) {
        switch field {
        case .time: if let time = value.time { point?.location.timestamp = time }
        case .elevation:
            guard let number = value.number else { return }
            point?.location.altitudeMSL = number
            if point?.location.fix == .twoD, !isFixKnown { point?.location.fix = .threeD }
        case .fix: setFix()
        case .satellites: if let number = value.number, 0...999 ~= number { point?.used = Int(clamping: number) }
        // Programs write −1 for what is unknown.
        case .speed: if let number = value.number, number >= 0 { point?.location.speed = number }
        case .course: if let number = value.number, number >= 0 { point?.location.course = number }
        case .number(let path): if let number = value.number { point?[keyPath: path] = number }
        case .station:
            if let number = value.number, 0...1023 ~= number { detail { $0.dgpsStation = Int(clamping: number) } }
        case .age: if let number = value.number, number >= 0 { detail { $0.dgpsAge = number } }
        }
    }

    private func detail(_ set: (inout LocationDetails) -> Void) {
        var details = point?.location.details ?? LocationDetails()
        set(&details)
        point?.location.details = details
    }

    private func setFix() {
        switch value.text {
        case "none": point?.location.fix = .none
        case "2d": point?.location.fix = .twoD
        case "3d": point?.location.fix = .threeD
        case "dgps":
            point?.location.fix = .threeD
            point?.location.quality = .differential
        case "pps":
            point?.location.fix = .threeD
            point?.location.quality = .precisionCode
        default: return
        }
        isFixKnown = true
    }
}
