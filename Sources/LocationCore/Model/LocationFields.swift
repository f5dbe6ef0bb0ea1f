/// A visitor that receives the fields of a location one by one; an unknown field is `nil`.
@usableFromInline package protocol LocationFieldVisitor {
    /// Whether groups of fields that are all unknown are visited too, for their names or their order.
    var wantsAbsent: Bool { get }
    /// Visits a time.
    mutating func time(_ name: StaticString, _ value: Timestamp?)
    /// Visits a latitude or a longitude.
    mutating func coordinate(_ name: StaticString, _ value: Double, _ axis: CoordinateAxis)
    /// Visits a number.
    mutating func number(_ name: StaticString, _ value: Double?, _ quantity: Quantity)
    /// Visits a whole number.
    mutating func count(_ name: StaticString, _ value: Int?)
    /// Visits a text.
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
    case length, speed, other
}

/// The ordered list of a location's fields, from which JSON, CSV, templates and records are all made.
extension Location {
    /// Visits every field in a fixed order; `satellites` visits the numbers of satellites in their place.
    @inlinable package func visitFields<Visitor: LocationFieldVisitor>(
        _ visitor: inout Visitor, satellites: (inout Visitor) -> Void
    ) {
        visitMain(&visitor, satellites: satellites)
        visitRest(&visitor)
        guard visitor.wantsAbsent || hasDetails else { return }
        (details ?? .unknown).visitFields(&visitor)
    }

    /// Visits the fields that nearly every receiver reports.
    @inlinable func visitMain<Visitor: LocationFieldVisitor>(
        _ visitor: inout Visitor, satellites: (inout Visitor) -> Void
    ) {
        visitor.time("time", timestamp)
        visitor.coordinate("lat", coordinate.latitude, .latitude)
        visitor.coordinate("lon", coordinate.longitude, .longitude)
        visitor.number("altMSL", altitudeMSL, .length)
        visitor.number("altHAE", altitudeHAE, .length)
        visitor.count("mode", fix.rawValue)
        visitor.word("quality", quality == .ordinary ? nil : quality.code)
        visitor.number("eph", horizontalAccuracy, .length)
        visitor.number("epv", verticalAccuracy, .length)
        visitor.number("speed", speed, .speed)
        visitor.number("course", course, .other)
        visitor.number("climb", climb, .speed)
        visitor.word("device", device)
        satellites(&visitor)
        visitor.time("received", received)
    }

    /// Visits the fields that many receivers report but that are rarely needed.
    @inlinable func visitRest(_ visitor: inout some LocationFieldVisitor) {
        visitor.count("revision", revision == 0 ? nil : revision)
        visitor.mark("late", isLate)
        visitor.number("epx", longitudeAccuracy, .length)
        visitor.number("epy", latitudeAccuracy, .length)
        visitor.number("sep", sphericalAccuracy, .length)
        visitor.number("ept", timeAccuracy, .other)
        visitor.number("eps", speedAccuracy, .speed)
        visitor.number("epd", courseAccuracy, .other)
        visitor.number("epc", climbAccuracy, .speed)
        visitor.number("courseMagnetic", courseMagnetic, .other)
        visitor.number("magvar", magneticVariation, .other)
        visitor.number("geoidSep", geoidSeparation, .length)
        if case .other(let status) = quality {
            visitor.count("status", status)
        } else {
            visitor.count("status", nil)
        }
    }

    /// The altitude above mean sea level, or above the ellipsoid if only that is known.
    @inlinable package var altitude: Double? { altitudeMSL ?? altitudeHAE }
}

extension DilutionOfPrecision {
    /// Visits every dilution under gpsd's name.
    @inlinable package func visitFields(_ visitor: inout some LocationFieldVisitor) {
        visitor.number("xdop", longitude, .other)
        visitor.number("ydop", latitude, .other)
        visitor.number("hdop", horizontal, .other)
        visitor.number("vdop", vertical, .other)
        visitor.number("pdop", position, .other)
        visitor.number("tdop", time, .other)
        visitor.number("gdop", geometric, .other)
    }
}
