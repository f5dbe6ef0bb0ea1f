/// A satellite system with numbers in NMEA 0183.
private enum NMEASystem: Int, CaseIterable {
    // The raw values are the system IDs of a GSA sentence of NMEA 4.11.
    case gps = 1
    case glonass, galileo, beidou, qzss, navic

    private static let talkers: [NMEATalker] = [.gps, .glonass, .galileo, .beidou, .qzss, .navic]

    var talker: NMEATalker { Self.talkers[rawValue - 1] }

    /// The offset of a satellite's number in a GSA sentence.
    ///
    /// gpsd 3.22 takes low numbers in a GSA for those of GPS, whatever system the sentence names. In a GSV it goes by
    /// the talker instead, and adds its own offsets even to numbers that have them already.
    var offsetInGSA: Int {
        switch self {
        case .gps, .glonass, .qzss, .navic: 0
        case .galileo: 300
        case .beidou: 400
        }
    }
}

/// A satellite's system and its number in a GSV sentence.
private struct NMEASatelliteNumber {
    var system: NMEASystem
    var number: Int

    /// Creates the number of a satellite, or returns `nil` if it has none in NMEA.
    init?(_ satellite: Satellite) {
        if let own = Self(satellite.constellation, satellite.number) {
            self = own
        } else if let other = Constellation.allCases.lazy.compactMap({ Self($0, satellite.prn) }).first {
            // A receiver of Javad numbers the satellites of SBAS from 1, and in gpsd's own numbering the first system counts.
            self = other
        } else {
            return nil
        }
    }

    private init?(_ constellation: Constellation?, _ number: Int?) {
        guard let number else { return nil }
        let known: (NMEASystem, ClosedRange<Int>, offset: Int)? =
            switch constellation {
            case .gps: (.gps, 1...32, 0)
            case .sbas: number < 100 ? (.gps, 33...64, 0) : (.gps, 120...158, -87)
            case .glonass: number > 64 ? (.glonass, 65...96, 0) : (.glonass, 1...32, 64)
            case .galileo: number > 300 ? (.galileo, 301...336, -300) : (.galileo, 1...36, 0)
            case .beidou: number > 400 ? (.beidou, 401...463, -400) : (.beidou, 1...63, 0)
            case .qzss: number > 192 ? (.qzss, 193...202, -192) : (.qzss, 1...10, 0)
            case .navic: (.navic, 1...14, 0)
            case .imes, nil: nil
            }
        guard let (system, range, offset) = known, range.contains(number) else { return nil }
        self.system = system
        self.number = number + offset
    }
}

extension NMEASentence {
    /// Returns GSA sentences: the kind of fix, the satellites in use and the dilutions of precision.
    ///
    /// There is one sentence for every twelve satellites of a system, or a single one if no satellite is known.
    package static func gsa(
        _ fix: FixKind, satellites: [Satellite], dilution: DilutionOfPrecision, from talker: NMEATalker = .combined
    ) -> [NMEASentence] {
        func sentence(_ system: NMEASystem?, _ numbers: ArraySlice<Int>) -> NMEASentence {
            fitting(dilution) { dilution, decimals in
                NMEASentence(talker, "GSA") { fields in
                    fields.append("A")
                    fields.append(fix.rawValue)
                    for number in numbers { fields.append(number + (system?.offsetInGSA ?? 0), digits: 2) }
                    for _ in numbers.count..<12 { fields.append() }
                    // gpsd takes a fix with a vertical dilution for a 3D fix.
                    fields.append(dilution: fix == .twoD ? nil : dilution.position, decimals: decimals.error)
                    fields.append(dilution: dilution.horizontal, decimals: decimals.error)
                    fields.append(dilution: fix == .twoD ? nil : dilution.vertical, decimals: decimals.error)
                    fields.append(system?.rawValue)
                }
            }
        }
        let sentences = bySystem(satellites.bySatellite) { $0.isUsed }.flatMap { system, places in
            places.map(\.number).inParts(of: 12).map { sentence(system, $0) }
        }
        return sentences.isEmpty ? [sentence(nil, [])] : sentences
    }

    /// Returns GSV sentences: the satellites in view, four per sentence, each system under its own talker.
    package static func gsv(_ signals: [Satellite]) -> [NMEASentence] {
        let satellites = signals.bySatellite
        let sentences = bySystem(satellites).flatMap { system, places in
            let parts = places.inParts(of: 4)
            return parts.enumerated().map { index, part in
                NMEASentence(system.talker, "GSV") { fields in
                    fields.append(parts.count)
                    fields.append(index + 1)
                    fields.append(places.count, digits: 2)
                    for place in part {
                        let satellite = satellites[place.index]
                        fields.append(place.number, digits: 2)
                        fields.append(satellite.elevation.wholeNumber(in: 0...90), digits: 2)
                        fields.append(satellite.azimuth.wholeNumber(in: 0...360).map { $0 % 360 }, digits: 3)
                        fields.append(satellite.signal.wholeNumber(in: 0...99), digits: 2)
                    }
                    // All signals: a satellite is listed once, with its strongest.
                    fields.append("0")
                }
            }
        }
        if !sentences.isEmpty { return sentences }
        return [
            NMEASentence(.gps, "GSV") { fields in
                for field in ["1", "1", "00", "0"] { fields.append(field) }
            }
        ]
    }

    /// Returns the numbers of each system's satellites and their indices in the list.
    private static func bySystem(
        _ satellites: [Satellite], where isWanted: (borrowing Satellite) -> Bool = { _ in true }
    ) -> [(NMEASystem, [(number: Int, index: Int)])] {
        var systems = NMEASystem.allCases.map { ($0, [(number: Int, index: Int)]()) }
        for index in satellites.indices where isWanted(satellites[index]) {
            guard let id = NMEASatelliteNumber(satellites[index]) else { continue }
            let place = id.system.rawValue - 1
            // Two names can have one number in NMEA; only the first is kept.
            if systems[place].1.contains(where: { $0.number == id.number }) { continue }
            systems[place].1.append((id.number, index))
        }
        return systems.filter { !$0.1.isEmpty }
    }
}

extension NMEATalker {
    /// Creates the talker of a position: the system of the satellites in use, or GPS if none are known.
    package init(ofUsed satellites: [Satellite]) {
        var talkers = Set<NMEATalker>()
        for satellite in satellites where satellite.isUsed {
            if let system = NMEASatelliteNumber(satellite)?.system { talkers.insert(system.talker) }
        }
        self = talkers.count > 1 ? .combined : talkers.first ?? .gps
    }
}

extension Array {
    fileprivate func inParts(of size: Int) -> [ArraySlice<Element>] {
        stride(from: 0, to: count, by: size).map { self[$0..<Swift.min($0 + size, count)] }
    }
}

extension Double? {
    /// Returns the nearest integer, or `nil` if the number is unknown or out of range.
    fileprivate func wholeNumber(in range: ClosedRange<Double>) -> Int? {
        flatMap { range.contains($0) ? Int(clamping: $0.rounded()) : nil }
    }
}
