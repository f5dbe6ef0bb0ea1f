/// Powers of ten that a `Double` holds exactly.
private let exactPowers: InlineArray<23, Double> = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
]

/// Up to eight ASCII digits at the beginning of a word.
private struct DigitRun {
    /// The bytes less the character 0: digits are 0 … 9.
    let values: UInt64
    /// Eight times the number of digits before the first byte that is none: 64 where all eight are digits.
    let bits: Int

    @inline(__always)
    init(_ word: UInt64) {
        values = word ^ 0x3030_3030_3030_3030
        // 9 + 0x76 is the largest sum without the high bit. A carry out of a byte touches only the bytes after it, and
        // there is one only out of a byte that is no digit, so the lowest mark is right.
        let others = ((values &+ 0x7676_7676_7676_7676) | values) & 0x8080_8080_8080_8080
        bits = others.trailingZeroBitCount & ~7
    }

    /// Whether there is a digit, and the word tells where they end.
    @inline(__always)
    var isShort: Bool { UInt(bitPattern: bits &- 8) < 56 }

    /// The number that the digits make; there must be at least one.
    @inline(__always)
    var number: UInt64 {
        // Shifted to the end of the word the digits have zeros before them, and what followed them is gone. Then pairs
        // of neighbours are joined, to hundreds, to ten thousands, to the whole.
        let digits = values &<< UInt64(truncatingIfNeeded: 64 - bits)
        let pairs = (digits &* (1 + 10 << 8)) &>> 8 & 0x00FF_00FF_00FF_00FF
        let quads = (pairs &* (1 + 100 << 16)) &>> 16 & 0x0000_FFFF_0000_FFFF
        return (quads &* (1 + 10_000 << 32)) &>> 32
    }
}

extension JSONScanner {
    /// A number, or `nil` for a value of another kind; one beyond the range of `Double` is infinite.
    @inline(__always)
    mutating func number() throws(ReportError) -> Double? {
        let isNegative = cursor.pointee == UInt8(ascii: "-")
        let first = cursor + (isNegative ? 1 : 0)
        let whole = DigitRun(JSONScanner.word(first))
        let sign: UInt64 = isNegative ? 1 << 63 : 0
        let point = first + whole.bits &>> 3
        // One to seven digits, the first of them no zero unless it stands alone.
        if whole.isShort, whole.bits == 8 || whole.values & 0xFF != 0 {
            if point.pointee == UInt8(ascii: ".") {
                let fraction = DigitRun(JSONScanner.word(point + 1))
                if fraction.isShort {
                    let after = point + 1 + fraction.bits &>> 3
                    if after.pointee | 0x20 != UInt8(ascii: "e") {
                        // At most 14 digits: the sum is exact, and the quotient of two exact numbers is the nearest.
                        let power = exactPowers[fraction.bits &>> 3]
                        let value = (Double(whole.number) * power + Double(fraction.number)) / power
                        cursor = after
                        return Double(bitPattern: value.bitPattern | sign)
                    }
                } else if fraction.bits == 64 {
                    let rest = DigitRun(JSONScanner.word(point + 9))
                    let after = point + 9 + rest.bits &>> 3
                    if whole.bits + rest.bits <= 56, rest.bits > 0, after.pointee | 0x20 != UInt8(ascii: "e") {
                        // At most 15 digits, of them at most 14 after the point.
                        let power = exactPowers[rest.bits &>> 3]
                        let digits =
                            (Double(whole.number) * 1e8 + Double(fraction.number)) * power + Double(rest.number)
                        cursor = after
                        return Double(bitPattern: (digits / (power * 1e8)).bitPattern | sign)
                    }
                }
            } else if point.pointee | 0x20 != UInt8(ascii: "e") {
                cursor = point
                return Double(bitPattern: Double(whole.number).bitPattern | sign)
            }
        }
        guard let decimal = try decimal(at: cursor) else {
            isMisfit = true
            return nil
        }
        cursor = decimal.after
        return decimal.value
    }

    /// A whole number, or `nil` for a value of another kind; `3.0` and `3e0` are whole too.
    @inline(__always)
    mutating func integer() throws(ReportError) -> Int? {
        let isNegative = cursor.pointee == UInt8(ascii: "-")
        let first = cursor + (isNegative ? 1 : 0)
        let whole = DigitRun(JSONScanner.word(first))
        let after = first + whole.bits &>> 3
        if whole.isShort, whole.bits == 8 || whole.values & 0xFF != 0,
            after.pointee != UInt8(ascii: "."), after.pointee | 0x20 != UInt8(ascii: "e")
        {
            cursor = after
            let number = Int(truncatingIfNeeded: whole.number)
            return isNegative ? 0 &- number : number
        }
        guard let decimal = try decimal(at: cursor), let integer = decimal.integer else {
            isMisfit = true
            return nil
        }
        cursor = decimal.after
        return integer
    }

    /// A whole number of 32 bits, or `nil` for any other value.
    @inline(__always)
    mutating func count() throws(ReportError) -> Int? {
        let before = cursor
        guard let number = try integer() else { return nil }
        // The smallest number stands for none (`Counted`).
        guard Int32(exactly: number) != nil, number != Int(Int32.min) else {
            cursor = before
            isMisfit = true
            return nil
        }
        return number
    }

    /// Reads any number that JSON allows, or gives `nil` for a value of another kind.
    @inline(never)
    func decimal(at cursor: Cursor) throws(ReportError) -> DecimalNumber? {
        var decimal = DecimalNumber(at: cursor)
        var cursor = cursor
        if cursor.pointee == UInt8(ascii: "-") {
            decimal.isNegative = true
            cursor += 1
        } else if cursor.pointee &- UInt8(ascii: "0") > 9 {
            return nil
        }
        guard cursor.pointee &- UInt8(ascii: "0") < 10 else { throw failure(at: cursor, .badNumber) }
        if cursor.pointee == UInt8(ascii: "0") {
            cursor += 1
            guard cursor.pointee &- UInt8(ascii: "0") > 9 else { throw failure(at: cursor, .badNumber) }
        }
        while cursor.pointee &- UInt8(ascii: "0") < 10 {
            decimal.append(cursor.pointee &- UInt8(ascii: "0"), isFraction: false)
            cursor += 1
        }
        if cursor.pointee == UInt8(ascii: ".") {
            cursor += 1
            decimal.isWhole = false
            guard cursor.pointee &- UInt8(ascii: "0") < 10 else { throw failure(at: cursor, .badNumber) }
            while cursor.pointee &- UInt8(ascii: "0") < 10 {
                decimal.append(cursor.pointee &- UInt8(ascii: "0"), isFraction: true)
                cursor += 1
            }
        }
        if cursor.pointee | 0x20 == UInt8(ascii: "e") {
            cursor += 1
            decimal.isWhole = false
            let isNegative = cursor.pointee == UInt8(ascii: "-")
            if isNegative || cursor.pointee == UInt8(ascii: "+") { cursor += 1 }
            guard cursor.pointee &- UInt8(ascii: "0") < 10 else { throw failure(at: cursor, .badNumber) }
            var exponent = 0
            while cursor.pointee &- UInt8(ascii: "0") < 10 {
                // Beyond this every number is zero or infinite, however many digits it has in a line that fits memory.
                if exponent < 1 << 40 { exponent = exponent * 10 + Int(cursor.pointee &- UInt8(ascii: "0")) }
                cursor += 1
            }
            decimal.exponent += isNegative ? -exponent : exponent
        }
        decimal.after = cursor
        return decimal
    }
}
