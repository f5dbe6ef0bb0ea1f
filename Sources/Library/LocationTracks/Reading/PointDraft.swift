import LocationCore

/// A value of a point in a file of any format.
enum PointValue: Hashable, Sendable {
    case latitude, longitude, time
    /// The time of the beginning of a span, which counts if there is no other time.
    case begin
    /// The kind of the fix in the words of GPX.
    case fix
    /// gpsd's numbers of the fix and of its quality.
    case mode, status
    case quality, seen, used, segment, device
    /// A heading, which most programs call the course over ground.
    case direction
    /// GPX's number of the reference station, which has a range of its own.
    case station
    /// GPX's magnetic variation, from 0° up to 360° east.
    case variation
    /// A number of the location.
    case number(Location.Field)
    case dilution(DilutionOfPrecision.Field)

    /// Creates the value with one of gpsd's names, which locwatch writes, or another common name; `nil` if it is not known.
    init?(_ name: String) {
        if let value = Self.others[name] {
            self = value
        } else if let field = Location.Field(name: Self.otherNumbers[name] ?? name) {
            self = .number(field)
        } else if let field = DilutionOfPrecision.Field.allCases.first(where: { name == "\($0.row.gpsdName)" }) {
            self = .dilution(field)
        } else {
            return nil
        }
    }

    /// A heading as such, whose name alone means a direction of either kind.
    static let heading = PointValue.number(.heading)

    /// The names of the values that are not in a table of numbers; `track_seg_id` is GDAL's.
    private static let others: [String: PointValue] = [
        "lat": .latitude, "lon": .longitude, "time": .time, "device": .device, "quality": .quality, "mode": .mode,
        "status": .status, "nSat": .seen, "uSat": .used, "sat": .used, "segment": .segment, "track_seg_id": .segment,
        "heading": .direction,
    ]

    private static let otherNumbers = [
        "altitude": "altMSL", "ele": "altMSL", "accuracy": "eph", "horizontal_accuracy": "eph",
        "vertical_accuracy": "epv", "bearing": "course",
    ]
}

/// A point that is being read: the values that are known so far.
struct PointDraft {
    /// The values of the location, without its place.
    var facts = Location.Facts(coordinate: Coordinate(latitude: 0, longitude: 0), fix: .none)
    /// The track of the file to which the point belongs, if the file can have several.
    var track: SourceTrack?
    private var numbers = FixNumbers()
    private var seen: Int?
    private var used: Int?
    private var dilution = DilutionOfPrecision()
    private(set) var latitude: Double?
    private(set) var longitude: Double?
    /// The number of the segment in the files that locwatch writes.
    private(set) var segment: Int?
    /// Whether a value gives the dimensions of the fix.
    private var isFixKnown = false

    /// The place, or `nil` if the latitude and the longitude are not numbers in range.
    var place: Coordinate? {
        guard let latitude, let longitude else { return nil }
        return Coordinate(checking: latitude, longitude)
    }

    /// The point, or `nil` if it has no place.
    var finished: TrackPoint? { place.map { finished(at: $0) } }

    /// Returns the point at another place.
    func finished(at place: Coordinate, altitude: Double? = nil) -> TrackPoint {
        var draft = self
        if let altitude { draft.set(.number(.altitudeMSL), to: altitude) }
        draft.facts.coordinate = place
        if !isFixKnown { draft.facts.fix = draft.numbers[.altitudeMSL] == nil ? .twoD : .threeD }
        var point = TrackPoint(Location(draft.facts, draft.numbers))
        point.seen = seen
        point.used = used
        point.dilution = dilution
        point.track = track
        return point
    }

    /// Sets a value that is written as a text; one that is not valid is left out.
    mutating func set(_ value: PointValue, to text: ValueText) {
        switch value {
        case .time: facts.timestamp = text.time ?? facts.timestamp
        case .begin: facts.timestamp = facts.timestamp ?? text.time
        case .device: facts.device = text.text.flatMap { $0.isEmpty ? nil : $0 }
        case .fix: setFix(text.text)
        default: if let number = text.number { set(value, to: number) }
        }
    }

    /// Sets a value that is written as a number; one that is out of range is left out.
    mutating func set(_ value: PointValue, to number: Double) {
        switch value {
        case .latitude: latitude = number
        case .longitude: longitude = number
        case .time, .begin: facts.timestamp = TrackTime.read(number)
        case .mode: setMode(number)
        case .status:
            if 0...9 ~= number { facts.quality = FixQuality(gpsdStatus: Int(clamping: number)) }
        case .seen: if 0...999 ~= number { seen = Int(clamping: number) }
        case .used: if 0...999 ~= number { used = Int(clamping: number) }
        case .station:
            if 0...1023 ~= number { set(.number(.dgpsStation), to: number.rounded(.down)) }
        case .variation: set(.number(.magneticVariation), to: number > 180 ? number - 360 : number)
        case .segment: segment = Int(exactly: number)
        // The points that locwatch writes have a mode, and their course has a name of its own.
        case .direction: set(isFixKnown ? .heading : .number(.course), to: number)
        // Some programs write a negative number for what is not known.
        case .number(let field):
            if Location.Field.rows[field.place].range ~= number { numbers[field] = number }
        case .dilution(let field):
            if DilutionOfPrecision.Field.rows[field.place].range ~= number { dilution[field] = number }
        case .fix, .quality, .device: break
        }
    }

    private mutating func setMode(_ number: Double) {
        guard let fix = Int(exactly: number).flatMap(FixKind.init(rawValue:)) else { return }
        facts.fix = fix
        isFixKnown = true
    }

    private mutating func setFix(_ word: String?) {
        switch word {
        case "none": setMode(1)
        case "2d": setMode(2)
        case "3d", "dgps", "pps": setMode(3)
        default: return
        }
        if word == "dgps" { facts.quality = .differential }
        if word == "pps" { facts.quality = .precisionCode }
    }
}
