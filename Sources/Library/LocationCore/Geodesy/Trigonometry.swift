// The Swift standard library has no trigonometry and this module imports no C library, so it defines the few functions
// that geodesy needs. The polynomials interpolate at Chebyshev nodes with an error below a tenth of a unit in the last
// place; the tests compare every function with the system's.

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
    @inline(__always) init(degrees: Double) {
        // The reduction is exact in degrees, so that no digit is lost to a rounded π.
        let small = abs(degrees) <= 720 ? degrees : degrees.remainder(dividingBy: 360)
        let (quarters, count) = roundedQuarters(small * (1 / 90.0))
        self.init(remainder: (small - 90 * quarters) * (.pi / 180), quarters: count)
    }

    /// Creates an angle from radians; beyond some hundreds of turns digits are lost.
    @inline(__always) init(radians: Double) {
        let (quarters, count) = roundedQuarters(radians * (2 / .pi))
        self.init(remainder: (radians - quarters * halfPiHigh) - quarters * halfPiLow, quarters: count)
    }

    /// Creates an angle from `x` within ±π/4 plus a number of right angles.
    @inline(__always) private init(remainder x: Double, quarters: UInt64) {
        let z = x * x
        let s = x + x * z * sineTail(z)
        let half = 0.5 * z
        let c = 1 - half
        // The part that was rounded away in 1 − z/2 is added back with the small terms.
        let k = c + ((1 - c - half) + z * z * cosineTail(z))
        switch quarters & 3 {
        case 0: self.init(sine: s, cosine: k)
        case 1: self.init(sine: k, cosine: 0 - s)
        case 2: self.init(sine: 0 - s, cosine: 0 - k)
        default: self.init(sine: 0 - k, cosine: s)
        }
    }

    /// The angle in radians, −π … π.
    var radians: Double { arcTangent(sine, cosine) }

    /// The angle in degrees, −180 … 180.
    var degrees: Double { radians * (180 / .pi) }
}

/// Returns the angle of the point (`x`, `y`) in radians, −π … π; 0 at the origin.
func arcTangent(_ y: Double, _ x: Double) -> Double {
    let (over, under) = (abs(y), abs(x))
    let (small, large) = over < under ? (over, under) : (under, over)
    guard large > 0 else { return y }

    // Above 22.5° the angle is measured from the diagonal, so that the argument stays within ±tan 22.5°.
    let fromDiagonal = small > 0.41421356237309503 * large
    let t = fromDiagonal ? (small - large) / (small + large) : small / large
    let z = t * t
    var angle = t + t * z * arcTangentTail(z)
    // π/4 and π/2 are added together with their part that does not fit a Double.
    if fromDiagonal { angle = quarterPi + (angle + halfPiTail / 2) }
    if over >= under { angle = 2 * quarterPi - (angle - halfPiTail) }
    if x.sign == .minus { angle = 4 * quarterPi - (angle - 2 * halfPiTail) }
    return y.sign == .minus ? -angle : angle
}

/// Returns the nearest whole number, and a bit pattern whose low two bits are those of that number.
@inline(__always) private func roundedQuarters(_ x: Double) -> (Double, UInt64) {
    // Adding 1.5 · 2⁵² rounds away the fraction; `rounded()` would be a call into libm.
    let shifted = x + 0x1.8p52
    return (shifted - 0x1.8p52, shifted.bitPattern)
}

private let quarterPi = 0x1.921FB54442D18p-1
/// The part of π/2 that does not fit a Double.
private let halfPiTail = 6.123233995736766e-17
/// π/2 with 20 trailing zero bits, whose small multiples are exact; `halfPiLow` is the remainder.
private let halfPiHigh = 0x1.921FB544p0
private let halfPiLow = 6.077100506506192e-11

/// Returns (sin x − x) / x³ for z = x², with x within ±π/4.
@inline(__always) private func sineTail(_ z: Double) -> Double {
    var sum = 1.5918129294866608e-10
    sum = sum * z - 2.5051131845003624e-08
    sum = sum * z + 2.755731610255244e-06
    sum = sum * z - 0.00019841269836758574
    sum = sum * z + 0.008333333333330948
    sum = sum * z - 0.16666666666666666
    return sum
}

/// Returns (cos x − 1 + x²/2) / x⁴ for z = x², with x within ±π/4.
@inline(__always) private func cosineTail(_ z: Double) -> Double {
    var sum = -1.1382632425521717e-11
    sum = sum * z + 2.08761462684032e-09
    sum = sum * z - 2.7557317271729793e-07
    sum = sum * z + 2.480158729876569e-05
    sum = sum * z - 0.0013888888888887398
    sum = sum * z + 0.041666666666666664
    return sum
}

/// Returns (atan t − t) / t³ for z = t², with t within ±tan 22.5°.
@inline(__always) private func arcTangentTail(_ z: Double) -> Double {
    var sum = 0.016284375050043393
    sum = sum * z - 0.03456931506332609
    sum = sum * z + 0.045515447340221615
    sum = sum * z - 0.05230443640686948
    sum = sum * z + 0.05878927554473807
    sum = sum * z - 0.0666642476020052
    sum = sum * z + 0.07692296368042296
    sum = sum * z - 0.09090908753259112
    sum = sum * z + 0.11111111105150588
    sum = sum * z - 0.14285714285659779
    sum = sum * z + 0.19999999999999804
    sum = sum * z - 0.3333333333333333
    return sum
}
