extension DecimalText {
    /// Appends an integer, with leading zeros up to `digits` digits.
    @inlinable @inline(__always)
    package static func append(_ value: Int, digits: Int = 1, to bytes: inout [UInt8]) {
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        append(digits: UInt64(value.magnitude), width: digits, to: &bytes)
    }

    /// Appends the digits of a number, with leading zeros up to a width of at most 32.
    @inlinable @inline(__always)
    package static func append(digits number: UInt64, width: Int = 1, to bytes: inout [UInt8]) {
        let length = max(number.digitCount, min(width, 32))
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 32) { text in
            // The base address is never `nil` because the capacity is not zero.
            guard let place = text.baseAddress else { return }
            number.writeDigits(length, at: place)
            bytes.append(contentsOf: UnsafeBufferPointer(start: place, count: length))
        }
    }

    /// Appends a number with `decimals` digits after the point, rounded from its exact value.
    ///
    /// - Parameter trimmed: Whether to omit trailing zeros of the fraction, and the point if no decimals remain.
    package static func append(_ value: Double, decimals: Int, trimmed: Bool = false, to bytes: inout [UInt8]) {
        append(value, to: &bytes) { write(value, decimals: decimals, trimmed: trimmed, at: $0) }
    }

    /// Appends a number with the fewest digits that read back to the same number.
    package static func append(shortest value: Double, to bytes: inout [UInt8]) {
        append(value, to: &bytes) { write(shortest: value, at: $0) }
    }

    @inline(__always)
    private static func append(
        _ value: Double, to bytes: inout [UInt8], _ write: (UnsafeMutablePointer<UInt8>) -> Int?
    ) {
        let isWritten = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: room) { text in
            guard let place = text.baseAddress, let length = write(place) else { return false }
            bytes.append(contentsOf: UnsafeBufferPointer(start: place, count: length))
            return true
        }
        if !isWritten { bytes.append(contentsOf: writtenOut(value).utf8) }
    }

    /// Appends the magnitude of an angle in the form of NMEA: degrees and minutes in one number, `ddmm.mmmmmm`.
    package static func append(
        degreesMinutes angle: Double, degreeDigits: Int, decimals: Int, to bytes: inout [UInt8]
    ) {
        guard let angle = SexagesimalAngle(angle, in: .minutes, decimals: decimals) else { return }
        append(digits: angle.degrees, width: degreeDigits, to: &bytes)
        append(digits: angle.units, width: 2, to: &bytes)
        bytes.append(UInt8(ascii: "."))
        append(digits: angle.fraction, width: angle.decimals, to: &bytes)
    }
}

extension DecimalText {
    /// Returns a non-negative integer with leading zeros up to a width.
    package static func padded(_ value: Int, to width: Int) -> String {
        text { append(value, digits: width, to: &$0) }
    }

    package static func text(_ append: (inout [UInt8]) -> Void) -> String {
        var bytes: [UInt8] = []
        append(&bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
