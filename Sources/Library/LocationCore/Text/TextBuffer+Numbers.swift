extension TextBuffer {
    /// Appends a number with a fixed number of decimals, without an exponent or grouping, and never as `-0`.
    package mutating func put(fixed value: Double, decimals: Int) {
        put(value) { DecimalText.write(value, decimals: decimals, at: $0) }
    }

    /// Appends a number with at most `decimals` decimals, without trailing zeros of the fraction.
    package mutating func put(trimmed value: Double, decimals: Int) {
        put(value) { DecimalText.write(value, decimals: decimals, trimmed: true, at: $0) }
    }

    /// Appends the shortest text that reads back as the same number, without an exponent; `null` if it is not finite.
    package mutating func put(shortest value: Double) {
        put(value) { DecimalText.write(shortest: value, at: $0) }
    }

    /// Appends such a number between two constant texts, with room for all of them made at once.
    @inlinable @inline(__always)
    package mutating func put(_ before: StaticString, shortest value: Double, _ after: StaticString) {
        let (first, last) = (before.utf8CodeUnitCount, after.utf8CodeUnitCount)
        var isWritten = false
        extend(by: first + DecimalText.room + last) { place in
            place.update(from: before.utf8Start, count: first)
            guard let length = DecimalText.write(shortest: value, at: place + first) else { return first }
            isWritten = true
            (place + first + length).update(from: after.utf8Start, count: last)
            return first + length + last
        }
        if isWritten { return }
        put(DecimalText.writtenOut(value))
        put(after)
    }

    @inline(__always)
    private mutating func put(_ value: Double, _ write: (UnsafeMutablePointer<UInt8>) -> Int?) {
        let before = count
        extend(by: DecimalText.room) { write($0) ?? 0 }
        // Nothing was written if the number needs the slower conversion of unbounded length.
        if count == before { put(DecimalText.writtenOut(value)) }
    }

    package mutating func put(_ number: Int) {
        if number < 0 { put(UInt8(ascii: "-")) }
        put(digits: UInt64(number.magnitude))
    }

    /// Appends the digits of a number, padded with leading zeros to a width of at most 64.
    package mutating func put(digits number: UInt64, width: Int = 1) {
        let length = max(number.digitCount, min(width, 64))
        extend(by: length) { place in
            number.writeDigits(length, at: place)
            return length
        }
    }

    /// Appends a time in RFC 3339 in UTC, truncated to milliseconds.
    package mutating func put(rfc3339 time: Timestamp) {
        extend(by: Timestamp.room) { time.write(fractionDigits: 3, at: $0) }
    }

    /// Appends a time in RFC 3339 in UTC with as many digits of its second as it needs: none, three, six or nine.
    package mutating func put(exact time: Timestamp) {
        let nanosecond = time.nanosecondsSince1970 % 1_000_000_000
        let digits = nanosecond == 0 ? 0 : Timestamp.fractionDigits(ofNanosecond: nanosecond)
        extend(by: Timestamp.room) { time.write(fractionDigits: digits, at: $0) }
    }
}
