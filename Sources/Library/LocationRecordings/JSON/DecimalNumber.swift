/// A decimal number as written: up to 19 significant digits and a power of ten.
struct DecimalNumber {
    /// The first 19 digits from the first nonzero one.
    var mantissa: UInt64 = 0
    var exponent = 0
    var isNegative = false
    /// Whether the number is written without a point or an exponent.
    var isWhole = true
    /// The first byte of the number.
    let first: UnsafePointer<UInt8>
    /// The byte after the number.
    var after: UnsafePointer<UInt8>

    private var digits = 0
    /// Whether nonzero digits were dropped, so that the number lies between mantissa and mantissa + 1.
    private var isCut = false

    init(at cursor: UnsafePointer<UInt8>) {
        first = cursor
        after = cursor
    }

    mutating func append(_ digit: UInt8, isFraction: Bool) {
        if digits == 0, digit == 0 {
            if isFraction { exponent -= 1 }
        } else if digits < 19 {
            mantissa = mantissa * 10 + UInt64(digit)
            digits += 1
            if isFraction { exponent -= 1 }
        } else {
            if digit != 0 { isCut = true }
            if !isFraction { exponent += 1 }
        }
    }

    /// The number as an integer, or `nil` if it is not whole or does not fit 64 bits.
    var integer: Int? {
        if isWhole, exponent == 0 {
            return isNegative ? Int(exactly: -Int128(mantissa)) : Int(exactly: mantissa)
        }
        return Int(exactly: value)
    }

    /// The nearest `Double`, ties to even; infinite beyond its range.
    var value: Double {
        let magnitude = magnitude
        return isNegative ? -magnitude : magnitude
    }

    private var magnitude: Double {
        if mantissa == 0 { return 0 }
        if !isCut, mantissa < 1 << 53, -22...22 ~= exponent {
            // Both operands are exact, so their product or quotient is rounded only once.
            let power = exactPowers[abs(exponent)]
            return exponent < 0 ? Double(mantissa) / power : Double(mantissa) * power
        }
        // gpsd writes at most 12 digits, so only numbers from elsewhere need the slower conversion of their text.
        let text = String(decoding: UnsafeBufferPointer(start: first, count: after - first), as: UTF8.self)
        return Double(text).map(abs) ?? .infinity
    }
}
