/// A visitor that receives the fields of a location one by one; an unknown field is `nil`.
@usableFromInline package protocol LocationFieldVisitor {
    /// Whether groups of fields that are all unknown are visited too, for their names or their order.
    var wantsAbsent: Bool { get }
    mutating func time(_ name: StaticString, _ value: Timestamp?)
    mutating func coordinate(_ name: StaticString, _ value: Double, _ axis: CoordinateAxis)
    mutating func number(_ name: StaticString, _ value: Double?, _ quantity: Quantity)
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
    case other

    /// The unit in `--json`.
    var unit: String? {
        switch self {
        case .length, .metres: "metres"
        case .speed, .metresPerSecond: "metres a second"
        case .angle: "degrees"
        case .duration: "seconds"
        case .temperature: "degrees Celsius"
        case .other: nil
        }
    }
}

/// The ordered list of a location's fields, from which JSON, CSV, templates and records are all made.
extension Location {
    /// Visits every field in a fixed order; `satellites` visits the numbers of satellites in their place.
    @inlinable package func visitFields<Visitor: LocationFieldVisitor>(
        _ visitor: inout Visitor, satellites: (inout Visitor) -> Void
    ) {
        visitor.time("time", timestamp)
        visitor.coordinate("lat", coordinate.latitude, .latitude)
        visitor.coordinate("lon", coordinate.longitude, .longitude)
        withUnsafeBytes(of: self) { Self.fields[..<Self.modePlace].visit($0, &visitor) }
        visitor.count("mode", fix.rawValue)
        visitor.word("quality", quality == .ordinary ? nil : quality.code)
        withUnsafeBytes(of: self) { Self.fields[Self.modePlace..<Self.devicePlace].visit($0, &visitor) }
        visitor.word("device", device)
        satellites(&visitor)
        visitor.time("received", received)
        visitor.mark("late", isLate)
        withUnsafeBytes(of: self) { Self.fields[Self.devicePlace...].visit($0, &visitor) }
        if case .other(let status) = quality {
            visitor.count("status", status)
        } else {
            visitor.count("status", nil)
        }
        guard visitor.wantsAbsent || hasDetails else { return }
        (details ?? .unknown).visitFields(&visitor)
    }

    /// The altitude above mean sea level, or above the ellipsoid if only that is known.
    @inlinable package var altitude: Double? { altitudeMSL ?? altitudeHAE }
}

extension DilutionOfPrecision {
    /// Visits every dilution under gpsd's name.
    @inlinable package func visitFields(_ visitor: inout some LocationFieldVisitor) {
        withUnsafeBytes(of: self) { Self.fields.visit($0, &visitor) }
    }
}
