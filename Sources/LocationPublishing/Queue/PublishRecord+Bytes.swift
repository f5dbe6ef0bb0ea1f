import LocationCore

extension PublishRecord {
    /// The version of the layout; version 1 had only the number of satellites in use, and version 2 no judgement.
    private static let layout: UInt8 = 3

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
            $1.code(&$0)
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
    fileprivate mutating func code(_ archive: inout RecordArchive) {
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
        archive.code(&revision)
        archive.code(&isLate)
        codeNumbers(&archive)
        var details = hasDetails ? self.details : nil
        archive.code(&details, initial: LocationDetails()) { $1.code(&$0) }
        if let details { self.details = details }
    }

    private mutating func codeNumbers(_ archive: inout RecordArchive) {
        archive.code(&altitudeMSL)
        archive.code(&altitudeHAE)
        archive.code(&geoidSeparation)
        archive.code(&horizontalAccuracy)
        archive.code(&longitudeAccuracy)
        archive.code(&latitudeAccuracy)
        archive.code(&verticalAccuracy)
        archive.code(&sphericalAccuracy)
        archive.code(&timeAccuracy)
        archive.code(&speed)
        archive.code(&speedAccuracy)
        archive.code(&course)
        archive.code(&courseAccuracy)
        archive.code(&courseMagnetic)
        archive.code(&magneticVariation)
        archive.code(&climb)
        archive.code(&climbAccuracy)
    }
}

extension LocationDetails {
    fileprivate mutating func code(_ archive: inout RecordArchive) {
        archive.code(&ecefPosition)
        archive.code(&ecefVelocity)
        archive.code(&ecefPositionAccuracy)
        archive.code(&ecefVelocityAccuracy)
        archive.code(&velocityNED)
        archive.code(&relativeNED)
        archive.code(&errorEllipseMajor)
        archive.code(&errorEllipseMinor)
        archive.code(&errorEllipseOrientation)
        archive.code(&dgpsAge)
        archive.code(&dgpsStation)
        archive.code(&leapSeconds)
        archive.code(&datum)
        archive.code(&depth)
        archive.code(&temperature)
        archive.code(&waterTemperature)
        archive.code(&windAngleApparent)
        archive.code(&windAngleMagnetic)
        archive.code(&windAngleTrue)
        archive.code(&windSpeedApparent)
        archive.code(&windSpeedTrue)
        archive.code(&antennaStatus)
        archive.code(&jamming)
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
        archive.code(&longitude)
        archive.code(&latitude)
        archive.code(&horizontal)
        archive.code(&vertical)
        archive.code(&position)
        archive.code(&time)
        archive.code(&geometric)
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
