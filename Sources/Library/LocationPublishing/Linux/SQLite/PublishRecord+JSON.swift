import LocationCore
import GPSDProtocol
import LocwatchSupport

extension PublishRecord {
    /// The record as a JSON object with every value of its position, under gpsd's names.
    var json: [UInt8] {
        var text = TextBuffer()
        text.object { object in
            if case .fence(let kind, let name) = occasion {
                object.member("occasion", kind.rawValue)
                object.member("fence", name)
            } else {
                object.member("occasion", occasion.code)
            }
            object.member("created", exactly: created)
            if verdict != .nominal { object.member("verdict", verdict.rawValue) }
            if isStationary { object.member("stationary", true) }
            object.member("distance", distance)
            if let location { object.object("location", location.write) }
            if let sky { object.object("sky", sky.write) }
        }
        return text.bytes
    }

    /// Creates the record that JSON describes, or returns `nil` if it describes none.
    init?(json: UnsafeRawBufferPointer) {
        guard let object = JSONValue(json), let occasion = Self.occasion(object),
            let created = object["created"]?.time
        else { return nil }
        self.init(occasion, created: created, location: nil)
        if let location = object["location"] {
            guard let location = Location(location) else { return nil }
            self.location = location
        }
        if let sky = object["sky"] { self.sky = SkyView(sky) }
        if let verdict = object["verdict"] {
            guard let known = verdict.text.flatMap({ IntegrityVerdict(rawValue: $0) }) else { return nil }
            self.verdict = known
        }
        isStationary = object["stationary"]?.flag ?? false
        distance = object["distance"]?.number
    }

    private static func occasion(_ object: JSONValue) -> Occasion? {
        guard let word = object["occasion"]?.text else { return nil }
        let others: [Occasion] = [.moved, .heartbeat, .manual, .found, .lost]
        if let occasion = others.first(where: { $0.code == word }) { return occasion }
        guard let kind = FenceEvent.Kind(rawValue: word), let name = object["fence"]?.text else { return nil }
        return .fence(kind, name: name)
    }
}

extension Location {
    fileprivate func write(_ object: inout TextBuffer) {
        object.member("lat", coordinate.latitude)
        object.member("lon", coordinate.longitude)
        object.member("mode", fix.rawValue)
        if quality.gpsdStatus != 0 { object.member("status", quality.gpsdStatus) }
        object.member("time", exactly: timestamp)
        object.member("received", exactly: received)
        object.member("device", device)
        if isLate { object.member("late", true) }
        numbers.forEach { object.member(Field.rows[$0].name, $1) }
        object.member("datum", datum)
    }

    fileprivate init?(_ object: JSONValue) {
        guard let latitude = object["lat"]?.number, let longitude = object["lon"]?.number,
            let coordinate = Coordinate(checking: latitude, longitude),
            let fix = object["mode"]?.count.flatMap({ FixKind(rawValue: $0) })
        else { return nil }
        var draft = LocationDraft(at: coordinate, fix: fix)
        draft.facts.quality = FixQuality(gpsdStatus: object["status"]?.count ?? 0)
        draft.facts.timestamp = object["time"]?.time
        draft.facts.received = object["received"]?.time
        draft.facts.device = object["device"]?.text
        draft.facts.isLate = object["late"]?.flag ?? false
        draft.facts.datum = object["datum"]?.text
        for (name, value) in object.members {
            if let field = Field(name: name), let number = value.number { draft[field] = number }
        }
        self.init(draft)
    }
}

extension SkyView {
    fileprivate func write(_ object: inout TextBuffer) {
        object.member("time", exactly: timestamp)
        object.member("device", device)
        object.member("nSat", seen)
        object.member("uSat", used)
        object.members(of: dilution)
        if let satellites { object.list("satellites", satellites.prefix(Self.mostSatellites)) { $1.write(&$0) } }
    }

    /// No receiver reports as many; a record has a limited size.
    private static var mostSatellites: Int { 255 }

    fileprivate init(_ object: JSONValue) {
        self.init(
            satellites: object["satellites"]?.list?.map(Satellite.init), timestamp: object["time"]?.time,
            device: object["device"]?.text)
        seen = object["nSat"]?.count
        used = object["uSat"]?.count
        for field in DilutionOfPrecision.Field.allCases {
            dilution[field] = object[field.row.name.description]?.number
        }
    }
}

extension Satellite {
    fileprivate func write(_ object: inout TextBuffer) {
        object.member("gnssid", constellation?.rawValue)
        object.member("PRN", prn)
        object.commonMembers(of: self)
        object.member("used", isUsed)
        object.member("health", health?.rawValue)
        object.member("qual", quality)
    }

    fileprivate init(_ object: JSONValue) {
        self.init(
            constellation: object["gnssid"]?.count.flatMap({ Constellation(rawValue: $0) }),
            number: object["svid"]?.count, prn: object["PRN"]?.count,
            elevation: object["el"]?.number, azimuth: object["az"]?.number,
            signal: object["ss"]?.number, isUsed: object["used"]?.flag ?? false)
        signalBand = object["sigid"]?.count
        frequencySlot = object["freqid"]?.count
        residual = object["prRes"]?.number
        health = object["health"]?.count.flatMap({ Health(rawValue: $0) })
        quality = object["qual"]?.count
    }
}

extension JSONValue {
    fileprivate var time: Timestamp? { text.flatMap { Timestamp($0) } }
    fileprivate var count: Int? { number.flatMap { Int(exactly: $0) } }
}

extension TextBuffer {
    /// Appends a time with all of its digits.
    fileprivate mutating func member(_ key: StaticString, exactly time: Timestamp?) {
        member(key, time?.description)
    }
}
