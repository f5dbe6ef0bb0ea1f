/// The powers of ten that a `Double` holds exactly.
let exactPowers: InlineArray<23, Double> = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
]

/// Up to eight ASCII digits at the beginning of a word.
private struct DigitRun {
    /// The bytes minus the character 0, so that digits are 0 … 9.
    let values: UInt64
    /// The high bit of each byte that is not a digit; exact up to the first such byte that is not ASCII.
    let marks: UInt64
    /// Eight times the number of digits before the first other byte, or 64 if all eight are digits.
    let bits: Int

    @inline(__always)
    init(_ word: UInt64) {
        values = word ^ 0x3030_3030_3030_3030
        // 9 + 0x76 is the largest sum without the high bit. A carry out of a byte affects only the bytes after it, and
        // only a byte that is not a digit produces one, so the lowest mark is right.
        marks = ((values &+ 0x7676_7676_7676_7676) | values) & 0x8080_8080_8080_8080
        bits = marks.trailingZeroBitCount & ~7
    }

    /// Whether there is a digit, and the word contains the end of the digits.
    @inline(__always)
    var isShort: Bool { UInt(bitPattern: bits &- 8) < 56 }

    /// The value of the digits; requires at least one.
    @inline(__always)
    var number: UInt64 { DigitRun.number(values, bits: bits) }

    /// Returns the value of the digits in the lowest `bits` bits; requires at least eight bits.
    @inline(__always)
    static func number(_ values: UInt64, bits: Int) -> UInt64 {
        // Shifting the digits to the end of the word puts zeros before them and drops the bytes after them. Then
        // neighbours are combined: to hundreds, to ten thousands, to the whole.
        let digits = values &<< UInt64(truncatingIfNeeded: 64 - bits)
        let pairs = (digits &* (1 + 10 << 8)) &>> 8 & 0x00FF_00FF_00FF_00FF
        let quads = (pairs &* (1 + 100 << 16)) &>> 16 & 0x0000_FFFF_0000_FFFF
        return (quads &* (1 + 10_000 << 32)) &>> 32
    }
}

extension JSONScanner {
    /// Reads a number, or returns `nil` for a value of another type; a number beyond the range of `Double` is infinite.
    @inline(__always)
    mutating func number() throws(ReportError) -> Double? {
        // Branching on the sign is cheaper than computing it: a field keeps its sign from line to line, so it is
        // predicted well.
        if cursor.pointee == UInt8(ascii: "-") {
            if let value = shortNumber(at: cursor + 1) { return -value }
        } else if let value = shortNumber(at: cursor) {
            return value
        }
        guard let (value, after) = try anyNumber(at: cursor) else {
            isMisfit = true
            return nil
        }
        cursor = after
        return value
    }

    @inline(never)
    private func anyNumber(at cursor: Cursor) throws(ReportError) -> (Double, Cursor)? {
        if cursor.pointee == UInt8(ascii: "-") {
            if let (value, after) = longNumber(at: cursor + 1) { return (-value, after) }
        } else if let found = longNumber(at: cursor) {
            return found
        }
        guard let decimal = try decimal(at: cursor) else { return nil }
        return (decimal.value, decimal.after)
    }

    /// Reads a number that fits one word with its point, such as `310.0` or `236.5622`; otherwise returns `nil` without
    /// advancing.
    @inline(__always)
    private mutating func shortNumber(at first: Cursor) -> Double? {
        let digits = DigitRun(JSONScanner.word(first))
        // The digits end at a point, whose sum does not carry, so the second mark is right too. Without one, the whole word is the number.
        let end = (digits.marks & (digits.marks &- 1)).trailingZeroBitCount & ~7
        let point = digits.bits
        let next = first[end &>> 3]
        guard digits.values &>> UInt64(truncatingIfNeeded: point) & 0xFF == 0x1E, end > point + 8, point >= 8,
            point == 8 || digits.values & 0xFF != 0, next | 0x20 != UInt8(ascii: "e"), next &- UInt8(ascii: "0") >= 10
        else { return nil }
        // Remove the point.
        let below: UInt64 = 1 &<< UInt64(truncatingIfNeeded: point) &- 1
        let joined = digits.values & below | digits.values &>> 8 & ~below
        let value = Double(DigitRun.number(joined, bits: end &- 8)) / exactPowers[(end &- point &- 8) &>> 3 & 7]
        cursor = first + end &>> 3
        return value
    }

    /// Reads a number of up to seven digits before the point and 14 after it, or returns `nil`.
    @inline(__always)
    private func longNumber(at first: Cursor) -> (Double, Cursor)? {
        let whole = DigitRun(JSONScanner.word(first))
        let point = first + whole.bits &>> 3
        // The first digit is not zero unless it is the only one.
        guard whole.isShort, whole.bits == 8 || whole.values & 0xFF != 0 else { return nil }
        guard point.pointee == UInt8(ascii: ".") else {
            guard point.pointee | 0x20 != UInt8(ascii: "e") else { return nil }
            return (Double(whole.number), point)
        }
        let fraction = DigitRun(JSONScanner.word(point + 1))
        if fraction.isShort {
            let after = point + 1 + fraction.bits &>> 3
            guard after.pointee | 0x20 != UInt8(ascii: "e") else { return nil }
            // At most 14 digits: the sum is exact, and the quotient of two exact numbers is the nearest `Double`.
            let power = exactPowers[fraction.bits &>> 3 & 7]
            return ((Double(whole.number) * power + Double(fraction.number)) / power, after)
        }
        guard fraction.bits == 64 else { return nil }
        let rest = DigitRun(JSONScanner.word(point + 9))
        let after = point + 9 + rest.bits &>> 3
        // There may be at most 15 digits in total.
        guard whole.bits + rest.bits <= 56, after.pointee | 0x20 != UInt8(ascii: "e") else { return nil }
        let number = Double(whole.number) * 1e8 + Double(fraction.number)
        if rest.bits == 0 { return (number / 1e8, after) }
        let power = exactPowers[rest.bits &>> 3 & 7]
        return ((number * power + Double(rest.number)) / (power * 1e8), after)
    }

    /// Reads an integer, or returns `nil` for any other value; `3.0` and `3e0` are integers too.
    @inline(__always)
    mutating func integer() throws(ReportError) -> Int? {
        let isNegative = cursor.pointee == UInt8(ascii: "-")
        let first = cursor + (isNegative ? 1 : 0)
        let whole = DigitRun(JSONScanner.word(first))
        let end = first + whole.bits &>> 3
        if whole.isShort, whole.bits == 8 || whole.values & 0xFF != 0,
            end.pointee != UInt8(ascii: "."), end.pointee | 0x20 != UInt8(ascii: "e")
        {
            cursor = end
            let number = Int(truncatingIfNeeded: whole.number)
            return isNegative ? 0 &- number : number
        }
        guard let (number, after) = try anyInteger(at: cursor) else {
            isMisfit = true
            return nil
        }
        cursor = after
        return number
    }

    @inline(never)
    private func anyInteger(at cursor: Cursor) throws(ReportError) -> (Int, Cursor)? {
        guard let decimal = try decimal(at: cursor), let integer = decimal.integer else { return nil }
        return (integer, decimal.after)
    }

    /// Reads a 32-bit integer, or returns an absent one for any other value.
    @inline(__always)
    mutating func counted() throws(ReportError) -> OptionalCount {
        let digits = DigitRun(JSONScanner.word(cursor))
        let end = cursor + digits.bits &>> 3
        if digits.isShort, digits.bits == 8 || digits.values & 0xFF != 0, end.pointee != UInt8(ascii: "."),
            end.pointee | 0x20 != UInt8(ascii: "e")
        {
            cursor = end
            return OptionalCount(small: Int(truncatingIfNeeded: digits.number))
        }
        guard let (number, after) = try anyInteger(at: cursor), Int32(exactly: number) != nil, number != Int32.min
        else {
            isMisfit = true
            return OptionalCount(wrappedValue: nil)
        }
        cursor = after
        return OptionalCount(small: number)
    }

    /// Reads any number that JSON allows, or returns `nil` for a value of another type.
    @inline(never)
    func decimal(at first: Cursor) throws(ReportError) -> DecimalNumber? {
        guard first.pointee == UInt8(ascii: "-") || isDigit(first) else { return nil }
        var cursor = first.pointee == UInt8(ascii: "-") ? first + 1 : first
        // The first digit is not zero unless it is the only one.
        if cursor.pointee == UInt8(ascii: "0") {
            cursor += 1
            guard !isDigit(cursor) else { throw failure(at: cursor, .badNumber) }
        } else {
            cursor = try afterDigits(at: cursor)
        }
        let whole = cursor
        if cursor.pointee == UInt8(ascii: ".") { cursor = try afterDigits(at: cursor + 1) }
        if cursor.pointee | 0x20 == UInt8(ascii: "e") {
            cursor += 1
            if cursor.pointee == UInt8(ascii: "-") || cursor.pointee == UInt8(ascii: "+") { cursor += 1 }
            cursor = try afterDigits(at: cursor)
        }
        return DecimalNumber(first: first, after: cursor, isWhole: cursor == whole)
    }

    private func isDigit(_ cursor: Cursor) -> Bool { cursor.pointee &- UInt8(ascii: "0") < 10 }

    /// Returns the byte after a run of digits, of which there must be one.
    private func afterDigits(at first: Cursor) throws(ReportError) -> Cursor {
        guard isDigit(first) else { throw failure(at: first, .badNumber) }
        var cursor = first
        while isDigit(cursor) { cursor += 1 }
        return cursor
    }
}

/// A decimal number as written.
///
/// gpsd writes at most 12 digits, so only numbers from elsewhere need the conversion of their text.
struct DecimalNumber {
    let first: JSONScanner.Cursor
    /// The byte after the number.
    let after: JSONScanner.Cursor
    /// Whether the number is written without a point or an exponent.
    let isWhole: Bool

    private var text: String {
        String(decoding: UnsafeBufferPointer(start: first, count: after - first), as: UTF8.self)
    }

    /// The nearest `Double`, ties to even; infinite beyond its range.
    var value: Double { Double(text) ?? .infinity }

    /// The number as an integer, or `nil` if it is not whole or does not fit 64 bits.
    var integer: Int? { isWhole ? Int(text) : Int(exactly: value) }
}
