extension UnsignedInteger where Self: FixedWidthInteger {
    /// The number as all its hexadecimal digits, as in `0a` of a byte.
    package var hexadecimal: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: Self.bitWidth / 4 - digits.utf8.count) + digits
    }
}
