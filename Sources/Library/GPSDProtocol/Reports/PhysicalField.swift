import LocationCore

/// A value of gpsd's reports, under gpsd's own name, with its range, beside the numbers of a location and the dilutions.
///
/// A value outside its range is a fault of the receiver or of the peer.
enum PhysicalField: Int, CaseIterable {
    case lat, lon, status, nSat, uSat
    case PRN, gnssid, svid, sigid, freqid, health, qual, el, az, ss, prRes

    /// The plausible values of the field.
    @inline(__always)
    var range: ClosedRange<Double> {
        switch self {
        case .lat, .el: -90...90
        case .lon: -180...180
        case .status, .nSat, .uSat: 0...1000
        case .PRN, .svid: 0...10_000
        case .freqid: -128...255
        case .gnssid, .sigid, .health, .qual: 0...255
        case .az: 0...360
        case .ss: 0...100
        case .prRes: -1e9...1e9
        }
    }
}

/// The fields of a report whose values are out of range.
struct ImplausibleFields: OptionSet, Hashable, Sendable {
    // The lower half has the numbers of a location, the upper half the other fields and the dilutions.
    let rawValue: UInt128

    var names: [String] {
        Location.Field.allCases.filter { contains(ImplausibleFields($0)) }.map { $0.row.gpsdName.description }
            + PhysicalField.allCases.filter { contains(ImplausibleFields($0)) }.map { "\($0)" }
            + DilutionOfPrecision.Field.allCases.filter { contains(ImplausibleFields($0)) }
            .map { $0.row.gpsdName.description }
    }

    /// Returns a plausible value, or `nil` for any other, whose field is inserted into the set.
    ///
    /// gpsd and many receivers write −1 for an unknown value, so −1 outside the range is not a fault.
    @inline(__always)
    mutating func checked(_ value: Double?, _ field: PhysicalField) -> Double? {
        checked(value, field.range, ImplausibleFields(field))
    }

    /// Returns a plausible dilution, or `nil` for any other, whose field is inserted into the set.
    mutating func checked(_ value: Double?, _ field: DilutionOfPrecision.Field) -> Double? {
        checked(value, DilutionOfPrecision.Field.rows[field.place].range, ImplausibleFields(field))
    }

    @inline(__always)
    private mutating func checked(
        _ value: Double?, _ range: ClosedRange<Double>, _ field: @autoclosure () -> ImplausibleFields
    ) -> Double? {
        guard let value else { return nil }
        if range ~= value { return value }
        if value != -1 { formUnion(field()) }
        return nil
    }

    mutating func remove(_ field: PhysicalField) { subtract(ImplausibleFields(field)) }

    /// Returns a plausible count, or `nil` for any other, whose field is inserted into the set.
    @inline(__always)
    mutating func checked(_ value: Int?, _ field: PhysicalField) -> Int? {
        guard let value else { return nil }
        return checked(Double(value), field) == nil ? nil : value
    }

    /// Returns a plausible number of a location, or `nil` for any other, whose field is inserted into the set.
    mutating func checked(_ value: Double?, _ field: Location.Field) -> Double? {
        checked(value, Location.Field.rows[field.place].range, ImplausibleFields(field))
    }

    /// Sets the numbers of a location to the plausible ones of a report, and inserts the fields of the others into the set.
    ///
    /// - Parameter isKept: Whether a number of a field, which is given as a set, is kept.
    @inline(__always)
    mutating func check(
        _ reported: ReportedNumbers, into numbers: inout FixNumbers, where isKept: (UInt64, Double) -> Bool
    ) {
        let rows = Location.Field.rows
        var wrong: UInt64 = 0
        numbers.set(reported.known, from: reported.values.span) { place, number in
            let field: UInt64 = 1 &<< UInt64(truncatingIfNeeded: place)
            if rows[place].range ~= number { return isKept(field, number) }
            if number != -1 { wrong |= field }
            return false
        }
        if wrong != 0 { formUnion(ImplausibleFields(rawValue: UInt128(wrong))) }
    }
}

extension ImplausibleFields {
    private init(_ field: Location.Field) { self.init(rawValue: 1 << UInt128(field.place)) }
    private init(_ field: PhysicalField) { self.init(rawValue: 1 << UInt128(64 + field.rawValue)) }
    private init(_ field: DilutionOfPrecision.Field) { self.init(rawValue: 1 << UInt128(120 + field.place)) }
}
