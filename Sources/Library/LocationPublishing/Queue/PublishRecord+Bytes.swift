import LocationCore

extension PublishRecord {
    /// The version of the layout; version 1 had only the number of satellites in use, version 2 no judgement, and version 3 numbers
    /// without names.
    private static let layout: UInt8 = 4

    /// The record as bytes, with every value of its position.
    package var bytes: [UInt8] {
        var archive = RecordArchive()
        var copy = self
        copy.code(&archive)
        return archive.bytes
    }

    /// Creates the record that the bytes describe, or returns `nil` if they describe none.
    package init?(bytes: [UInt8]) {
        var archive = RecordArchive(reading: bytes)
        self.init(.moved, created: Timestamp(nanosecondsSince1970: 0), location: nil)
        code(&archive)
        guard !archive.isDamaged, archive.isAtEnd else { return nil }
    }

    private mutating func code(_ archive: inout RecordArchive) {
        var layout = Self.layout
        archive.code(&layout)
        guard 1...Self.layout ~= layout else { return archive.damage() }
        occasion.code(&archive)
        archive.code(&created)
        if layout == 1 {
            var used: Int?
            archive.code(&used)
            sky = used.map { SkyView(satellites: nil, used: $0) }
        } else {
            archive.code(&sky, initial: SkyView(satellites: nil)) { $1.code(&$0) }
        }
        archive.code(&location, initial: Location(coordinate: Coordinate(latitude: 0, longitude: 0))) {
            $1.code(&$0, layout)
        }
        guard layout > 2 else { return }
        var number = UInt8(IntegrityVerdict.allCases.firstIndex(of: verdict) ?? 0)
        archive.code(&number)
        guard number < IntegrityVerdict.allCases.count else { return archive.damage() }
        verdict = IntegrityVerdict.allCases[Int(number)]
        archive.code(&isStationary)
    }
}

extension PublishRecord.Occasion {
    private static let kinds: [FenceEvent.Kind] = [.inside, .enter, .exit, .dwell, .outside, .undecided]

    fileprivate mutating func code(_ archive: inout RecordArchive) {
        var number: UInt8
        var name = ""
        switch self {
        case .moved: number = 0
        case .heartbeat: number = 1
        case .manual: number = 2
        case .found: number = 3
        case .lost: number = 4
        case .fence(let kind, let fence):
            number = 5 + UInt8(Self.kinds.firstIndex(of: kind) ?? 0)
            name = fence
        }
        archive.code(&number)
        switch number {
        case 0: self = .moved
        case 1: self = .heartbeat
        case 2: self = .manual
        case 3: self = .found
        case 4: self = .lost
        case 5..<11:
            archive.code(&name)
            self = .fence(Self.kinds[Int(number) - 5], name: name)
        default: archive.damage()
        }
    }
}

extension Location {
    fileprivate mutating func code(_ archive: inout RecordArchive, _ layout: UInt8) {
        var (latitude, longitude) = (coordinate.latitude, coordinate.longitude)
        archive.code(&latitude)
        archive.code(&longitude)
        if let read = Coordinate(checking: latitude, longitude) { coordinate = read } else { archive.damage() }
        var fix = self.fix.rawValue
        archive.code(&fix)
        if let known = FixKind(rawValue: fix) { self.fix = known } else { archive.damage() }
        var status = quality.gpsdStatus
        archive.code(&status)
        quality = FixQuality(gpsdStatus: status)
        archive.code(&timestamp)
        archive.code(&received)
        archive.code(&device)
        // The place of a number that is not stored any more.
        var retired = 0
        archive.code(&retired)
        archive.code(&isLate)
        guard layout > 3 else { return readNumbersWithoutNames(&archive) }
        codeNumbers(&archive)
        var datum = details?.datum
        archive.code(&datum)
        guard let datum else { return }
        details = details ?? LocationDetails()
        details?.datum = datum
    }

    /// Codes the known numbers with their names, so that a number that another release adds changes no layout.
    private mutating func codeNumbers(_ archive: inout RecordArchive) {
        var known: [(name: String, value: Double)] = []
        forEachNumber { known.append(($1.name.description, $2)) }
        var count = UInt8(known.count)
        archive.code(&count)
        for index in 0..<Int(count) {
            var (name, number) = index < known.count ? known[index] : ("", 0)
            archive.code(&name)
            archive.code(&number)
            guard !archive.isDamaged else { return }
            if let place = LocationNumbers.places[name] { self[number: place] = number }
        }
    }

    /// Reads the numbers of layouts 1 to 3, in the order of their places.
    private mutating func readNumbersWithoutNames(_ archive: inout RecordArchive) {
        let ordinary = [
            "altMSL", "altHAE", "geoidSep", "eph", "epx", "epy", "epv", "sep", "ept", "speed", "eps", "course", "epd",
            "courseMagnetic", "magvar", "climb", "epc",
        ]
        for name in ordinary { readNumber(name, &archive) }
        var hasDetails = false
        archive.code(&hasDetails)
        guard hasDetails, !archive.isDamaged else { return }
        details = LocationDetails()
        let first = [
            "ecefx", "ecefy", "ecefz", "ecefvx", "ecefvy", "ecefvz", "ecefpAcc", "ecefvAcc", "velN", "velE", "velD",
            "relN",
            "relE", "relD", "errEllMaj", "errEllMin", "errEllOr", "dgpsAge", "dgpsSta", "leapseconds",
        ]
        for name in first { readNumber(name, &archive) }
        var datum: String?
        archive.code(&datum)
        details?.datum = datum
        let last = ["depth", "temp", "wtemp", "wangler", "wanglem", "wanglet", "wspeedr", "wspeedt", "ant", "jam"]
        for name in last { readNumber(name, &archive) }
    }

    private mutating func readNumber(_ name: String, _ archive: inout RecordArchive) {
        guard let place = LocationNumbers.places[name] else { return archive.damage() }
        guard LocationNumbers.fields[place].isCount else {
            var number: Double?
            archive.code(&number)
            return self[number: place] = number
        }
        var count: Int?
        archive.code(&count)
        self[number: place] = count.map(Double.init)
    }
}

extension SkyView {
    fileprivate mutating func code(_ archive: inout RecordArchive) {
        archive.code(&timestamp)
        archive.code(&device)
        archive.code(short: &seen)
        archive.code(short: &used)
        var dilution = self.dilution == DilutionOfPrecision() ? nil : self.dilution
        archive.code(&dilution, initial: DilutionOfPrecision()) { $1.code(&$0) }
        self.dilution = dilution ?? DilutionOfPrecision()
        archive.code(&satellites, initial: []) { archive, satellites in
            // No receiver reports as many; a record has a limited size.
            var count = UInt8(clamping: satellites.count)
            archive.code(&count)
            for index in 0..<Int(count) {
                var satellite = index < satellites.count ? satellites[index] : Satellite()
                satellite.code(&archive)
                guard !archive.isDamaged else { return }
                if index == satellites.count { satellites.append(satellite) }
            }
        }
    }
}

extension DilutionOfPrecision {
    fileprivate mutating func code(_ archive: inout RecordArchive) {
        for place in Self.fields.indices { archive.code(&self[number: place]) }
    }
}

extension Satellite {
    fileprivate mutating func code(_ archive: inout RecordArchive) {
        var system = constellation?.rawValue
        archive.code(short: &system)
        constellation = system.flatMap(Constellation.init)
        if (system == nil) != (constellation == nil) { archive.damage() }
        archive.code(short: &prn)
        archive.code(short: &number)
        archive.code(short: &signalBand)
        archive.code(short: &frequencySlot)
        archive.code(short: &elevation)
        archive.code(short: &azimuth)
        archive.code(short: &signal)
        archive.code(short: &residual)
        archive.code(&isUsed)
        var health = self.health?.rawValue
        archive.code(short: &health)
        self.health = health.flatMap(Health.init)
        if (health == nil) != (self.health == nil) { archive.damage() }
        archive.code(short: &quality)
    }
}
