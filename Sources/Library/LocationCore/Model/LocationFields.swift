/// A visitor that receives the fields of a location one by one; an unknown field is `nil`.
@usableFromInline package protocol LocationFieldVisitor {
    /// Whether groups of fields that are all unknown are visited too, for their names.
    var wantsAbsent: Bool { get }
    /// Passes over unknown fields that are not visited one by one; by default nothing is done.
    mutating func skip(_ count: Int)
    mutating func time(_ name: StaticString, _ value: Timestamp?)
    mutating func coordinate(_ name: StaticString, _ value: Double, _ axis: CoordinateAxis)
    mutating func number(_ name: StaticString, _ value: Double?, _ quantity: Quantity)
    /// Visits the numbers of a set, of which some are known; by default one by one.
    mutating func numbers(_ fields: UInt64, known: UInt64, _ values: Span<Double>)
    mutating func count(_ name: StaticString, _ value: Int?)
    mutating func word(_ name: StaticString, _ value: String?)
    /// Visits a flag that is written only if it is true.
    mutating func mark(_ name: StaticString, _ value: Bool)
}

/// The axis of a coordinate.
@usableFromInline package enum CoordinateAxis: Sendable {
    case latitude, longitude
}

/// The kind of quantity that a number measures, which determines its unit.
@usableFromInline package enum Quantity: Sendable {
    case length, speed, angle, duration, temperature
    /// A length or speed that stays in metres where a user chooses the units.
    case metres, metresPerSecond
    /// A whole number.
    case count
    case other

    /// The unit in `--json`.
    var unit: String? {
        switch self {
        case .length, .metres: "metres"
        case .speed, .metresPerSecond: "metres a second"
        case .angle: "degrees"
        case .duration: "seconds"
        case .temperature: "degrees Celsius"
        case .count, .other: nil
        }
    }
}

extension LocationFieldVisitor {
    @inlinable package mutating func skip(_ count: Int) {}

    @inlinable @inline(__always)
    package mutating func numbers(_ fields: UInt64, known: UInt64, _ values: Span<Double>) {
        let rows = Location.Field.rows
        // The number of known numbers is often a tenth of all.
        var rest = wantsAbsent ? fields & (1 &<< UInt64(truncatingIfNeeded: rows.count) &- 1) : fields & known
        while rest != 0 {
            let place = rest.trailingZeroBitCount
            rows[place].visit(known & (rest & (0 &- rest)) == 0 ? nil : values[place], &self)
            rest &= rest &- 1
        }
    }
}

/// The ordered list of a location's fields, from which JSON, CSV, templates and records are all made.
extension Location {
    /// Visits every field in a fixed order; `satellites` visits the numbers of satellites in their place.
    @inlinable package func visitFields<Visitor: LocationFieldVisitor>(
        _ visitor: inout Visitor, satellites: (inout Visitor) -> Void
    ) {
        let known = storage.numbers.known
        // An index into the array itself would copy all of it at each number.
        let values = storage.numbers.values.span
        visitor.time("time", timestamp)
        visitor.coordinate("lat", coordinate.latitude, .latitude)
        visitor.coordinate("lon", coordinate.longitude, .longitude)
        visitor.numbers(Field.horizontalAccuracy.before, known: known, values)
        visitor.count("mode", fix.rawValue)
        visitor.word("quality", quality == .ordinary ? nil : quality.code)
        visitor.numbers(
            Field.longitudeAccuracy.before & ~Field.horizontalAccuracy.before, known: known, values)
        visitor.word("device", device)
        satellites(&visitor)
        visitor.time("received", received)
        visitor.mark("late", isLate)
        visitor.numbers(Field.ecefX.before & ~Field.longitudeAccuracy.before, known: known, values)
        if case .other(let status) = quality {
            visitor.count("status", status)
        } else {
            visitor.count("status", nil)
        }
        // What only some receivers report.
        let rest = ~Field.ecefX.before
        guard visitor.wantsAbsent || known & rest != 0 || datum != nil else {
            return visitor.skip((Field.all & rest).nonzeroBitCount &+ 2)
        }
        visitor.numbers(Field.depth.before & rest, known: known, values)
        visitor.word("datum", datum)
        visitor.numbers(~Field.depth.before, known: known, values)
        visitor.mark("tooShort", isTooShort)
    }

    /// Whether the position is a mean whose error its positions were too few to tell.
    @inlinable var isTooShort: Bool { self[.meanCount] != nil && self[.correlationTime] == nil }
}

extension FieldRow {
    @inlinable @inline(__always)
    func visit(_ number: Double?, _ visitor: inout some LocationFieldVisitor) {
        if quantity == .count {
            visitor.count(name, number.flatMap { Int(exactly: $0) })
        } else {
            visitor.number(name, number, quantity)
        }
    }
}

extension DilutionOfPrecision {
    /// Visits every dilution under gpsd's name.
    @inlinable package func visitFields(_ visitor: inout some LocationFieldVisitor) {
        guard visitor.wantsAbsent || !isUnknown else { return visitor.skip(Field.rows.count) }
        for field in Field.allCases {
            guard let number = self[field] else {
                if visitor.wantsAbsent { Field.rows[field.place].visit(nil, &visitor) } else { visitor.skip(1) }
                continue
            }
            Field.rows[field.place].visit(number, &visitor)
        }
    }
}
