import Glibc
package import LocationCore

/// Times in the time zone of the system, or in UTC.
package enum LocalTimeText {
    /// Returns a pattern with strftime's `%Y`, `%m`, … filled in, or the pattern itself if strftime fails.
    package static func formatted(_ time: Timestamp, _ pattern: String, inUTC: Bool) -> String {
        guard pattern.utf8.contains(UInt8(ascii: "%")), var fields = fields(time, inUTC: inUTC) else { return pattern }
        // Enough room for the text of any directives.
        let capacity = pattern.utf8.count * 16 + 64
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: capacity) { text in
            guard let start = text.baseAddress, strftime(start, capacity, pattern, &fields) > 0 else { return pattern }
            return String(cString: start)
        }
    }

    static func fields(_ time: Timestamp, inUTC: Bool) -> tm? {
        var seconds = time_t(
            (time.nanosecondsSince1970 - 999_999_999 * (time.nanosecondsSince1970 < 0 ? 1 : 0)) / 1_000_000_000)
        var fields = tm()
        let isKnown = inUTC ? gmtime_r(&seconds, &fields) : localtime_r(&seconds, &fields)
        return isKnown == nil ? nil : fields
    }
}
