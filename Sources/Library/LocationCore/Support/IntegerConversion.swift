extension FixedWidthInteger {
    /// Truncates a number to an integer, clamped to the range of the type; NaN becomes 0.
    ///
    /// `Int(_: Double)` traps on a number that does not fit, and a report or a file can contain one.
    @inlinable @inline(__always)
    package init(clamping number: Double) {
        // The bounds are powers of two, or round to one, so that every number between them fits.
        if number >= Double(Self.max) {
            self = .max
        } else if number > Double(Self.min) {
            // The standard library converts to 64 bits by one instruction, and to any other type by a call.
            self = number.magnitude < 9e18 ? Self(truncatingIfNeeded: Int64(number)) : Self(number)
        } else {
            self = number.isNaN ? 0 : .min
        }
    }
}
