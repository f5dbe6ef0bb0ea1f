/// An angle in whole degrees and minutes, or seconds, beyond them: rounded as a whole, so that neither ever shows 60.
package struct SexagesimalAngle: Sendable {
    /// What the degrees are divided into.
    package enum Unit: UInt64, Sendable {
        case minutes = 60
        case seconds = 3600
    }

    /// The whole degrees.
    package let degrees: UInt64
    /// The whole minutes, or seconds of all minutes, beyond the degrees.
    package let units: UInt64
    /// What stands after the point of the last unit.
    package let fraction: UInt64
    /// How many decimals the last unit has.
    package let decimals: Int
    /// Whether it is below zero when it is rounded: what is rounded to nothing is on neither side.
    package let isNegative: Bool

    /// `nil` for what is no angle.
    package init?(_ angle: Double, in unit: Unit, decimals: Int) {
        let magnitude = angle.magnitude
        guard magnitude < 0x1p53 else { return nil }
        // The fraction is split off first: whole degrees lose nothing, and the product keeps its digits.
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
