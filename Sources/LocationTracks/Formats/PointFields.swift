public import LocationCore

/// A visitor that receives the fields of a point one by one; an unknown field is `nil`.
@usableFromInline package protocol PointFieldVisitor {
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

/// The ordered list of a position's fields, from which JSON, CSV and templates are all made.
extension TrackPoint {
    /// Visits every field, always in the same order.
    @inlinable package func visitAll(_ visitor: inout some PointFieldVisitor) {
        visitReported(&visitor)
        visitDerived(&visitor)
    }

    /// Visits the fields of the report itself, which JSON contains.
    @inlinable package func visitReported(_ visitor: inout some PointFieldVisitor) {
        visitMain(&visitor)
        visitRest(&visitor)
        visitDetails(&visitor)
    }

    /// Visits the fields that nearly every receiver reports.
    @inlinable package func visitMain(_ visitor: inout some PointFieldVisitor) {
        visitor.time("time", location.timestamp)
        visitor.coordinate("lat", location.coordinate.latitude, .latitude)
        visitor.coordinate("lon", location.coordinate.longitude, .longitude)
        visitor.number("altMSL", location.altitudeMSL, .length)
        visitor.number("altHAE", location.altitudeHAE, .length)
        visitor.count("mode", location.fix.rawValue)
        visitor.word("quality", location.quality == .ordinary ? nil : location.quality.code)
        visitor.number("eph", location.horizontalAccuracy, .length)
        visitor.number("epv", location.verticalAccuracy, .length)
        visitor.number("speed", location.speed, .speed)
        visitor.number("course", location.course, .other)
        visitor.number("climb", location.climb, .speed)
        visitor.word("device", location.device)
        visitor.count("used", used)
        visitor.count("seen", seen)
        visitor.time("received", location.received)
    }

    /// Visits the fields that many receivers report but that are rarely needed.
    @inlinable package func visitRest(_ visitor: inout some PointFieldVisitor) {
        visitor.count("revision", location.revision == 0 ? nil : location.revision)
        visitor.mark("late", location.isLate)
        visitor.number("epx", location.longitudeAccuracy, .length)
        visitor.number("epy", location.latitudeAccuracy, .length)
        visitor.number("sep", location.sphericalAccuracy, .length)
        visitor.number("ept", location.timeAccuracy, .other)
        visitor.number("eps", location.speedAccuracy, .speed)
        visitor.number("epd", location.courseAccuracy, .other)
        visitor.number("epc", location.climbAccuracy, .speed)
        visitor.number("courseMagnetic", location.courseMagnetic, .other)
        visitor.number("magvar", location.magneticVariation, .other)
        visitor.number("geoidSep", location.geoidSeparation, .length)
        if case .other(let status) = location.quality {
            visitor.count("status", status)
        } else {
            visitor.count("status", nil)
        }
    }

    /// Visits the fields that are not part of the report: the altitude for display, and the satellites' geometry.
    @inlinable package func visitDerived(_ visitor: inout some PointFieldVisitor) {
        visitor.number("alt", location.altitudeMSL ?? location.altitudeHAE, .length)
        visitor.number("xdop", dilution.longitude, .other)
        visitor.number("ydop", dilution.latitude, .other)
        visitor.number("hdop", dilution.horizontal, .other)
        visitor.number("vdop", dilution.vertical, .other)
        visitor.number("pdop", dilution.position, .other)
        visitor.number("tdop", dilution.time, .other)
        visitor.number("gdop", dilution.geometric, .other)
    }
}

/// The names of all fields, in the order in which they are visited.
package struct PointFieldNames: PointFieldVisitor {
    private var names: [String] = []
    private var numbers: Set<Int> = []

    private static let collected: PointFieldNames = {
        var collector = PointFieldNames()
        TrackPoint(Location(coordinate: Coordinate(latitude: 0, longitude: 0))).visitAll(&collector)
        return collector
    }()

    /// The names; the index of a name is the number of its field.
    package static let all = collected.names

    /// The fields that are not part of a position's report, with their meanings.
    package static let derived: [(name: String, meaning: String)] = [
        ("alt", "the altitude above mean sea level, or above the ellipsoid if only that is known"),
        ("xdop", "the dilution of precision from west to east, from the last report of the satellites"),
        ("ydop", "the same from south to north"), ("hdop", "the same on the ground"),
        ("vdop", "the same in altitude"), ("pdop", "the same in all three dimensions"),
        ("tdop", "the same in time"), ("gdop", "the same in space and time"),
    ]

    /// The numbers of the fields that have decimals.
    package static let numbers = collected.numbers

    package var wantsAbsent: Bool { true }
    package mutating func time(_ name: StaticString, _ value: Timestamp?) { names.append(name.description) }
    package mutating func coordinate(_ name: StaticString, _ value: Double, _ axis: CoordinateAxis) {
        number(name, value, .other)
    }
    package mutating func number(_ name: StaticString, _ value: Double?, _ quantity: Quantity) {
        numbers.insert(names.count)
        names.append(name.description)
    }
    package mutating func count(_ name: StaticString, _ value: Int?) { names.append(name.description) }
    package mutating func word(_ name: StaticString, _ value: String?) { names.append(name.description) }
    package mutating func mark(_ name: StaticString, _ value: Bool) { names.append(name.description) }
}
