import Glibc
package import LocationCore

/// The condition on which a log continues in a new file.
package enum TrackRotation: Hashable, Sendable {
    /// The time since the file's first point.
    case duration(Duration)
    /// The size of the file in bytes.
    case size(Int)
    /// The end of a day or an hour of the calendar.
    case calendar(CalendarPeriod)
    /// The departure after a stop of at least this duration; see `TripSplitter`.
    case stop(Duration)
}

/// A period of the calendar.
package enum CalendarPeriod: String, CaseIterable, Hashable, Sendable {
    case day, hour

    /// Returns a number that two times have in common if they are in the same period.
    ///
    /// When a clock is set back at the end of summer time, the hour that it repeats is one period.
    package func number(of time: Timestamp, inUTC: Bool) -> Int? {
        LocalTimeText.fields(time, inUTC: inUTC).map { fields in
            let day = Int(fields.tm_year) * 366 + Int(fields.tm_yday)
            return self == .day ? day : day * 24 + Int(fields.tm_hour)
        }
    }
}
