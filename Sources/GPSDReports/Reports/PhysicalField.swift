/// A physical quantity in gpsd's reports, under gpsd's own name, with the range of its values.
///
/// The ranges are wide enough for a receiver in orbit, for the accuracy that u-blox receivers report before a fix
/// (4,294,967 m) and for every value in recordings of real receivers. A value outside its range is a fault of the
/// receiver or of the peer.
enum PhysicalField: Int, CaseIterable {
    case lat, lon, altHAE, altMSL, geoidSep
    case eph, epx, epy, epv, sep, ept, eps, epc, epd
    case speed, climb, track, magtrack, magvar
    case ecefx, ecefy, ecefz, ecefvx, ecefvy, ecefvz, ecefpAcc, ecefvAcc
    case velN, velE, velD, relN, relE, relD, errEllMaj, errEllMin, errEllOr
    case dgpsAge, dgpsSta, leapseconds, status, ant, jam
    case depth, temp, wtemp, wangler, wanglem, wanglet, wspeedr, wspeedt
    case xdop, ydop, hdop, vdop, pdop, tdop, gdop, nSat, uSat
    case PRN, gnssid, svid, sigid, freqid, health, qual, el, az, ss, prRes

    /// The plausible values of the field.
    @inline(__always)
    var range: ClosedRange<Double> {
        switch self {
        case .lat, .el: -90...90
        case .lon, .magvar: -180...180
        case .altHAE, .altMSL: -20_000...1e8
        case .geoidSep: -1000...1000
        case .eph, .epx, .epy, .epv, .sep, .ept, .eps, .epc, .ecefpAcc, .ecefvAcc, .errEllMaj, .errEllMin: 0...1e8
        case .track, .magtrack, .az, .epd: 0...360
        case .errEllOr, .wangler, .wanglem, .wanglet: -360...360
        case .speed, .wspeedr, .wspeedt: 0...1e5
        case .climb, .ecefvx, .ecefvy, .ecefvz, .velN, .velE, .velD: -1e5...1e5
        case .ecefx, .ecefy, .ecefz, .relN, .relE, .relD, .prRes: -1e9...1e9
        case .depth: -1000...100_000
        case .temp, .wtemp: -273.15...1000
        case .dgpsAge: 0...1e8
        case .dgpsSta: 0...1e6
        case .leapseconds, .status, .nSat, .uSat: 0...1000
        case .xdop, .ydop, .hdop, .vdop, .pdop, .tdop, .gdop: 0...1e5
        case .PRN, .svid: 0...10_000
        case .freqid: -128...255
        case .ant, .jam, .gnssid, .sigid, .health, .qual: 0...255
        case .ss: 0...100
        }
    }
}

/// The fields of a report whose values are out of range.
struct ImplausibleFields: OptionSet, Hashable, Sendable {
    // A 64-bit integer is too small, because there are more than 64 fields.
    let rawValue: UInt128

    /// The fields in the set, in the order of their declaration.
    var names: [String] {
        PhysicalField.allCases.filter { contains(ImplausibleFields($0)) }.map { "\($0)" }
    }

    /// Returns a plausible value, or `nil` for any other, whose field is inserted into the set.
    ///
    /// gpsd and many receivers write −1 for an unknown value, so −1 outside the range is not a fault.
    @inline(__always)
    mutating func checked(_ value: Double?, _ field: PhysicalField) -> Double? {
        guard let value else { return nil }
        if field.range ~= value { return value }
        if value != -1 { formUnion(ImplausibleFields(field)) }
        return nil
    }

    /// Returns a plausible count, or `nil` for any other, whose field is inserted into the set.
    @inline(__always)
    mutating func checked(_ value: Int?, _ field: PhysicalField) -> Int? {
        guard let value else { return nil }
        return checked(Double(value), field) == nil ? nil : value
    }
}

extension ImplausibleFields {
    private init(_ field: PhysicalField) { self.init(rawValue: 1 << UInt128(field.rawValue)) }
}
