import LocationCore

extension TextBuffer {
    /// A latitude or longitude in a style; minutes and seconds get a hemisphere and never reach 60.
    mutating func put(coordinate degrees: Double, _ axis: CoordinateAxis, _ style: TextStyle) {
        switch style.degrees {
        case .decimal:
            switch style.precision {
            case .decimals(let decimals): put(fixed: degrees, decimals: decimals)
            case .full: put(shortest: degrees)
            }
        case .minutes: put(sexagesimal: degrees, axis, style, decimals: style.decimalsOfDegree - 2, hasSeconds: false)
        case .seconds: put(sexagesimal: degrees, axis, style, decimals: style.decimalsOfDegree - 4, hasSeconds: true)
        }
    }

    private mutating func put(
        sexagesimal degrees: Double, _ axis: CoordinateAxis, _ style: TextStyle, decimals: Int, hasSeconds: Bool
    ) {
        let decimals = max(0, decimals)
        // Rounded as a whole, in units of the last digit, so that 59.9999999 becomes the next degree. The fraction is
        // split off first: whole degrees lose nothing, and the product keeps its digits.
        let magnitude = degrees.magnitude
        let whole = magnitude.rounded(.down)
        let perMinute = hasSeconds ? 60.0 : 1.0
        guard let scaled = FixedPoint((magnitude - whole) * 60 * perMinute, decimals: decimals) else { return }
        let perDegree: UInt64 = hasSeconds ? 3600 : 60
        let carried = scaled.whole >= perDegree
        let (units, fraction) = carried ? (0, 0) : (scaled.whole, scaled.fraction)
        put(digits: UInt64(whole) + (carried ? 1 : 0), width: axis == .latitude ? 2 : 3)
        put(style.glyphs.degreeOfAngle)
        if hasSeconds {
            put(digits: units / 60, width: 2)
            put(UInt8(ascii: "'"))
        }
        put(digits: hasSeconds ? units % 60 : units, width: 2)
        if decimals > 0 {
            put(UInt8(ascii: "."))
            put(digits: fraction, width: decimals)
        }
        put(hasSeconds ? "\"" : "'")
        // What is rounded to nothing is on neither side.
        let isNegative = degrees < 0 && (whole > 0 || carried || units > 0 || fraction > 0)
        switch axis {
        case .latitude: put(isNegative ? "S" : "N")
        case .longitude: put(isNegative ? "W" : "E")
        }
    }

    /// A direction in whole degrees, 0 … 359.
    mutating func put(direction degrees: Double, _ glyphs: Glyphs) {
        put(Int(Direction.whole(degrees)))
        put(glyphs.degree)
    }
}

extension TextStyle {
    /// Decimals of a degree that minutes and seconds have to match.
    fileprivate var decimalsOfDegree: Int {
        switch precision {
        case .decimals(let decimals): decimals
        case .full: FixedPoint.mostDecimals
        }
    }
}

/// Directions as people tell them.
enum Direction {
    private static let points = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"]

    /// Degrees within a turn, rounded: 359.7 is 0.
    static func whole(_ degrees: Double) -> Double {
        let rounded = degrees.rounded().truncatingRemainder(dividingBy: 360)
        return rounded < 0 ? rounded + 360 : rounded
    }

    /// The point of the compass.
    static func compassPoint(_ degrees: Double) -> String {
        points[Int((whole(degrees) / 45).rounded()) % 8]
    }
}
