package import LocationCore
package import LocwatchTerminal

extension TextBuffer {
    /// Appends a latitude or longitude; minutes and seconds have a hemisphere and never reach 60.
    package mutating func put(coordinate degrees: Double, _ axis: CoordinateAxis, _ style: TextStyle) {
        switch style.degrees {
        case .decimal:
            switch style.precision {
            case .decimals(let decimals): put(fixed: degrees, decimals: decimals)
            case .full: put(shortest: degrees)
            }
        case .minutes: put(sexagesimal: degrees, axis, .minutes, style.glyphs, decimals: style.decimalsOfDegree - 2)
        case .seconds: put(sexagesimal: degrees, axis, .seconds, style.glyphs, decimals: style.decimalsOfDegree - 4)
        }
    }

    /// Appends a latitude and a longitude.
    package mutating func put(_ coordinate: Coordinate, between separator: String, _ style: TextStyle) {
        put(coordinate: coordinate.latitude, .latitude, style)
        put(separator)
        put(coordinate: coordinate.longitude, .longitude, style)
    }

    private mutating func put(
        sexagesimal degrees: Double, _ axis: CoordinateAxis, _ unit: SexagesimalAngle.Unit, _ glyphs: Glyphs,
        decimals: Int
    ) {
        guard let angle = SexagesimalAngle(degrees, in: unit, decimals: decimals) else { return }
        put(digits: angle.degrees, width: axis == .latitude ? 2 : 3)
        put(glyphs.degreeOfAngle)
        switch unit {
        case .minutes: put(digits: angle.units, width: 2)
        case .seconds:
            put(digits: angle.units / 60, width: 2)
            put(UInt8(ascii: "'"))
            put(digits: angle.units % 60, width: 2)
        }
        if angle.decimals > 0 {
            put(UInt8(ascii: "."))
            put(digits: angle.fraction, width: angle.decimals)
        }
        put(unit == .seconds ? "\"" : "'")
        switch axis {
        case .latitude: put(angle.isNegative ? "S" : "N")
        case .longitude: put(angle.isNegative ? "W" : "E")
        }
    }

    /// Appends a direction in whole degrees, 0 … 359.
    package mutating func put(direction degrees: Double, _ glyphs: Glyphs) {
        put(Int(clamping: Direction.whole(degrees)))
        put(glyphs.degree)
    }
}

extension TextStyle {
    /// The decimals of a degree that minutes and seconds have to match.
    fileprivate var decimalsOfDegree: Int {
        switch precision {
        case .decimals(let decimals): decimals
        case .full: FixedPoint.mostDecimals
        }
    }
}

/// Directions as people read them.
package enum Direction {
    private static let points = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"]

    /// Returns degrees rounded and reduced to one turn, so that 359.7 becomes 0.
    static func whole(_ degrees: Double) -> Double {
        let rounded = degrees.rounded().truncatingRemainder(dividingBy: 360)
        return rounded < 0 ? rounded + 360 : rounded
    }

    /// Returns the nearest of eight points of the compass.
    package static func compassPoint(_ degrees: Double) -> String {
        points[Int(clamping: (whole(degrees) / 45).rounded()) % 8]
    }
}
