import LocationCore

extension TextBuffer {
    /// RFC 3339 in UTC with milliseconds, cut, not rounded.
    mutating func put(rfc3339 time: Timestamp) {
        extend(by: Timestamp.room) { time.write(fractionDigits: 3, at: $0) }
    }

    /// A date, as in 2026-11-20.
    mutating func put(date civil: Timestamp.Civil) {
        put(digits: UInt64(civil.year), width: 4)
        put(UInt8(ascii: "-"))
        put(digits: UInt64(civil.month), width: 2)
        put(UInt8(ascii: "-"))
        put(digits: UInt64(civil.day), width: 2)
    }

    /// A time of day to the second, as in 14:02:11.
    mutating func put(clock civil: Timestamp.Civil) {
        put(digits: UInt64(civil.hour), width: 2)
        put(UInt8(ascii: ":"))
        put(digits: UInt64(civil.minute), width: 2)
        put(UInt8(ascii: ":"))
        put(digits: UInt64(civil.second), width: 2)
    }
}
