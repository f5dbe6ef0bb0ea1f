/// An angle in whole degrees and minutes or seconds, rounded as a whole so that neither part ever shows 60.
package struct SexagesimalAngle: Sendable {
    /// The unit that divides the degrees.
    package enum Unit: UInt64, Sendable {
        case minutes = 60
        case seconds = 3600
    }

    package let degrees: UInt64
    /// The whole minutes, or the seconds of all minutes, beyond the degrees.
    package let units: UInt64
    /// The fraction of the last unit, in units of its last decimal.
    package let fraction: UInt64
    /// The number of decimals of the last unit.
    package let decimals: Int
    /// Whether the rounded angle is below zero; an angle that rounds to zero is not negative.
    package let isNegative: Bool

    /// Creates a rounded angle, or returns `nil` if the angle is not finite or its magnitude is 2⁵³ or more.
    package init?(_ angle: Double, in unit: Unit, decimals: Int) {
        let magnitude = angle.magnitude
        guard magnitude < 0x1p53 else { return nil }
        // The whole degrees are split off first, so that they stay exact and the product keeps its digits.
        let whole = magnitude.rounded(.down)
        guard let rest = FixedPoint((magnitude - whole) * Double(unit.rawValue), decimals: decimals) else { return nil }
        let isNextDegree = rest.whole >= unit.rawValue
        degrees = UInt64(clamping: whole) + (isNextDegree ? 1 : 0)
        units = isNextDegree ? 0 : rest.whole
        fraction = rest.fraction
        self.decimals = rest.decimals
        isNegative = angle < 0 && (degrees > 0 || units > 0 || fraction > 0)
    }
}
