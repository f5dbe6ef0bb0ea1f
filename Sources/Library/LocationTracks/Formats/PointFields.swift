public import LocationCore

extension TrackPoint {
    /// Visits every field: those of the report, then the altitude for display and the satellites' geometry.
    @inlinable package func visitAll(_ visitor: inout some LocationFieldVisitor) {
        visitReported(&visitor)
        visitor.number("alt", location.altitude, .length)
        dilution.visitFields(&visitor)
    }

    /// Visits the fields of the report itself, which JSON contains.
    @inlinable package func visitReported(_ visitor: inout some LocationFieldVisitor) {
        // The closure would otherwise retain the whole point.
        let (used, seen) = (used, seen)
        location.visitFields(&visitor) {
            $0.count("used", used)
            $0.count("seen", seen)
        }
        visitor.mark("stationary", isStationary)
        visitor.word("integrity", verdict == .nominal ? nil : verdict.rawValue)
        visitor.number("interpolated", interpolatedOver, .duration)
        visitor.number("distance", distance, .length)
        guard error != nil || visitor.wantsAbsent else { return visitor.skip(4) }
        visitor.number("error", error?.distance, .length)
        visitor.number("errorEast", error?.east, .length)
        visitor.number("errorNorth", error?.north, .length)
        visitor.number("errorUp", error?.up, .length)
    }
}

/// The names of all fields, in the order in which they are visited.
package struct PointFieldNames: LocationFieldVisitor {
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
