import Glibc
package import LocationCore

/// A time zone, given by its offset from UTC in seconds at each point in time.
package struct LocalTime: Sendable {
    private let offset: @Sendable (Timestamp) -> Int

    init(offset: @escaping @Sendable (Timestamp) -> Int) { self.offset = offset }

    /// The time zone of the machine, or that of `TZ`.
    package static let system = LocalTime { time in
        var seconds = time_t(time.nanosecondsSince1970 / 1_000_000_000)
        var broken = tm()
        return localtime_r(&seconds, &broken) == nil ? 0 : Int(broken.tm_gmtoff)
    }

    package static let utc = LocalTime { _ in 0 }

    /// Returns the local date and time of day.
    package func civil(_ time: Timestamp) -> Timestamp.Civil {
        time.advanced(by: .seconds(offset(time))).civil
    }

    /// Returns the points in time at which clocks of the zone show a date and time of day: none if they are set forward over it, and two
    /// if they are set back before it.
    ///
    /// - Parameter shown: What the clocks show, as if it were in UTC.
    package func times(showing shown: Timestamp) -> [Timestamp] {
        var times: [Timestamp] = []
        // Clocks are set at most once within two days.
        for day in [-86_400, 86_400] {
            let offset = offset(shown.advanced(by: .seconds(day)))
            let time = shown.advanced(by: .seconds(-offset))
            if self.offset(time) == offset, !times.contains(time) { times.append(time) }
        }
        return times.sorted()
    }

    /// Returns whether the offset from UTC is the same at two points in time.
    package func hasSameOffset(_ time: Timestamp, _ other: Timestamp) -> Bool { offset(time) == offset(other) }

    /// Returns the offset from UTC at a point in time, as in `UTC+01:00`.
    package func zone(_ time: Timestamp) -> String {
        let minutes = offset(time) / 60
        guard minutes != 0 else { return "UTC" }
        return TextBuffer.text {
            $0.put(minutes < 0 ? "UTC-" : "UTC+")
            $0.put(digits: UInt64(abs(minutes) / 60), width: 2)
            $0.put(UInt8(ascii: ":"))
            $0.put(digits: UInt64(abs(minutes) % 60), width: 2)
        }
    }
}
