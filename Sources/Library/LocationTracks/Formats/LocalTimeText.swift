import Glibc
import LocationCore

/// Times in the time zone of the system.
enum LocalTimeText {
    /// Returns a name followed by a date and a time of day.
    static func named(_ name: String, _ time: Timestamp) -> String {
        "\(name) \(formatted(time, "%Y-%m-%d %H:%M"))"
    }

    /// Returns a pattern with strftime's `%Y`, `%m`, … filled in, or the pattern itself if strftime fails.
    static func formatted(_ time: Timestamp, _ pattern: String) -> String {
        guard pattern.utf8.contains(UInt8(ascii: "%")) else { return pattern }
        var seconds = time_t(
            (time.nanosecondsSince1970 - 999_999_999 * (time.nanosecondsSince1970 < 0 ? 1 : 0)) / 1_000_000_000)
        var fields = tm()
        guard localtime_r(&seconds, &fields) != nil else { return pattern }
        // Enough room for the text of any directives.
        let capacity = pattern.utf8.count * 16 + 64
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: capacity) { text in
            guard let start = text.baseAddress, strftime(start, capacity, pattern, &fields) > 0 else { return pattern }
            return String(cString: start)
        }
    }
}
