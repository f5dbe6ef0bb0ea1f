import LocationCore

extension [UInt8] {
    /// Appends a time as RFC 3339 in UTC with as many fraction digits as it needs: none, three, six or nine.
    mutating func append(time: Timestamp) {
        let nanosecond = time.nanosecondsSince1970 % 1_000_000_000
        let digits =
            nanosecond == 0 ? 0 : nanosecond % 1_000_000 == 0 ? 3 : nanosecond % 1000 == 0 ? 6 : 9
        append(time: time, fractionDigits: digits)
    }

    /// Appends a time as RFC 3339 in UTC, truncated to a number of fraction digits.
    mutating func append(time: Timestamp, fractionDigits digits: Int) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Timestamp.room) { text in
            guard let place = text.baseAddress else { return }
            append(contentsOf: UnsafeBufferPointer(start: place, count: time.write(fractionDigits: digits, at: place)))
        }
    }
}
