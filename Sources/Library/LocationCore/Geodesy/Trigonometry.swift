#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// An angle stored as its sine and cosine, which is all that most of spherical trigonometry needs.
struct Angle {
    var sine: Double
    var cosine: Double

    /// Creates the angle of the point (`cosine`, `sine`), which need not have unit length but must not be the origin.
    init(towards sine: Double, _ cosine: Double) {
        let length = (sine * sine + cosine * cosine).squareRoot()
        self.init(sine: sine / length, cosine: cosine / length)
    }

    init(sine: Double, cosine: Double) {
        self.sine = sine
        self.cosine = cosine
    }

    /// Creates an angle from degrees; multiples of 90° give exact zeros and ones.
    init(degrees: Double) {
        // The reduction is exact in degrees, so that no digit is lost to a rounded π. `remainder` takes 350 instructions, which most
        // angles do not need.
        let degrees = abs(degrees) <= 360 ? degrees : degrees.remainder(dividingBy: 360)
        let quarters = (degrees / 90).rounded(.toNearestOrEven)
        let turned = Angle(radians: (degrees - 90 * quarters) * (.pi / 180))
        switch quarters {
        case 0, 4, -4: self = turned
        case 1, -3: self.init(sine: turned.cosine, cosine: 0 - turned.sine)
        case -1, 3: self.init(sine: 0 - turned.cosine, cosine: turned.sine)
        default: self.init(sine: 0 - turned.sine, cosine: 0 - turned.cosine)
        }
    }

    init(radians: Double) { self.init(sine: sin(radians), cosine: cos(radians)) }

    /// The angle in radians, −π … π.
    var radians: Double { arcTangent(sine, cosine) }

    /// The angle in degrees, −180 … 180.
    var degrees: Double { radians * (180 / .pi) }

    static func + (one: Angle, other: Angle) -> Angle {
        Angle(
            sine: one.sine * other.cosine + one.cosine * other.sine,
            cosine: one.cosine * other.cosine - one.sine * other.sine)
    }

    static func - (one: Angle, other: Angle) -> Angle { one + Angle(sine: -other.sine, cosine: other.cosine) }
}

/// Returns the angle of the point (`x`, `y`) in radians, −π … π; 0 or −0 at the origin, which has no direction.
func arcTangent(_ y: Double, _ x: Double) -> Double { x == 0 && y == 0 ? y : atan2(y, x) }

func hyperbolicSine(_ number: Double) -> Double { sinh(number) }

func hyperbolicCosine(_ number: Double) -> Double { cosh(number) }

/// Returns the number whose hyperbolic tangent is the given one.
func hyperbolicArea(_ tangent: Double) -> Double { atanh(tangent) }
