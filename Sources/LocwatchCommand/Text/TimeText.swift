import LocationCore

extension TextBuffer {
    /// RFC 3339 in UTC with milliseconds, cut, not rounded.
    mutating func put(rfc3339 time: Timestamp) {
        let civil = time.civil
        extend(by: 24) { place in
            func write(_ number: Int, _ digits: Int, at start: Int, before separator: Unicode.Scalar) {
                UInt64(number).writeDigits(digits, at: place + start)
                place[start + digits] = UInt8(ascii: separator)
            }
            // A timestamp's years have four digits.
            write(civil.year, 4, at: 0, before: "-")
            write(civil.month, 2, at: 5, before: "-")
            write(civil.day, 2, at: 8, before: "T")
            write(civil.hour, 2, at: 11, before: ":")
            write(civil.minute, 2, at: 14, before: ":")
            write(civil.second, 2, at: 17, before: ".")
            write(civil.nanosecond / 1_000_000, 3, at: 20, before: "Z")
            return 24
        }
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
