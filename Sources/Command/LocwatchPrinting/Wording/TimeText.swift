package import LocationCore

extension TextBuffer {
    /// Appends a date, as in 2026-11-20.
    package mutating func put(date civil: Timestamp.Civil) {
        put(digits: UInt64(civil.year), width: 4)
        put(UInt8(ascii: "-"))
        put(digits: UInt64(civil.month), width: 2)
        put(UInt8(ascii: "-"))
        put(digits: UInt64(civil.day), width: 2)
    }

    /// Appends a time of day to the second, as in 14:02:11.
    package mutating func put(clock civil: Timestamp.Civil) {
        put(digits: UInt64(civil.hour), width: 2)
        put(UInt8(ascii: ":"))
        put(digits: UInt64(civil.minute), width: 2)
        put(UInt8(ascii: ":"))
        put(digits: UInt64(civil.second), width: 2)
    }
}
