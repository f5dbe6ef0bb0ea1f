/// A point in civil time (UTC), to the nanosecond, between the years 1678 and 2262.
public struct Timestamp: Hashable, Sendable {
    /// The nanoseconds since 1970-01-01T00:00:00Z.
    public var nanosecondsSince1970: Int64

    /// Creates a timestamp from nanoseconds since 1970.
    @inlinable public init(nanosecondsSince1970: Int64) {
        self.nanosecondsSince1970 = nanosecondsSince1970
    }

    /// Creates a timestamp from seconds since 1970, rounded to microseconds and clamped to the representable range.
    public init(secondsSince1970: Double) {
        // A number of this size has no more than microseconds; the rest of its digits would turn .123 into .122999.
        let microseconds = (secondsSince1970 * 1e6).rounded()
        let (nanoseconds, isTooLarge) = (Int64(exactly: microseconds) ?? .max).multipliedReportingOverflow(by: 1000)
        nanosecondsSince1970 = isTooLarge ? (microseconds < 0 ? .min : .max) : nanoseconds
    }

    /// Creates a timestamp from a date and time of day in UTC, or returns `nil` if they do not exist.
    ///
    /// A second of 60 is a leap second, which has no place of its own here. Its whole length is put into the last millisecond of its
    /// minute, so that it is after the second before it and before the next minute.
    public init?(
        year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0, nanosecond: Int = 0
    ) {
        guard 1678...2261 ~= year, 1...12 ~= month, day >= 1, day <= Timestamp.days(inMonth: month, of: year),
            0...23 ~= hour, 0...59 ~= minute, 0...60 ~= second, 0...999_999_999 ~= nanosecond
        else { return nil }
        let days = Timestamp.daysSince1970(year: year, month: month, day: day)
        let minutes = Int64(days) * 1440 + Int64(hour * 60 + minute)
        let rest = second < 60 ? second * 1_000_000_000 + nanosecond : 59_999_000_000 + nanosecond / 1000
        nanosecondsSince1970 = minutes * 60_000_000_000 + Int64(rest)
    }

    /// The seconds since 1970, rounded to the precision of a `Double`.
    public var secondsSince1970: Double { Double(nanosecondsSince1970) / 1e9 }

    private static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    // Howard Hinnant's civil calendar: years begin in March, so that the leap day is the last day of a year.
    private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
        let shifted = month > 2 ? year : year - 1
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}

extension Timestamp {
    package struct Civil: Hashable, Sendable {
        package var year: Int
        package var month: Int
        package var day: Int
        package var hour: Int
        package var minute: Int
        package var second: Int
        package var nanosecond: Int
    }

    /// The date and time of day in UTC.
    package var civil: Civil {
        var (seconds, nanosecond) = nanosecondsSince1970.quotientAndRemainder(dividingBy: 1_000_000_000)
        if nanosecond < 0 {
            seconds -= 1
            nanosecond += 1_000_000_000
        }
        var days = Int(seconds / 86_400)
        var rest = Int(seconds % 86_400)
        if rest < 0 {
            days -= 1
            rest += 86_400
        }
        // Neri and Schneider's calendar, whose divisions are by constants and of 32 bits. The days from 1 March 0000 are positive.
        let quarters = 4 &* UInt32(truncatingIfNeeded: days + 719_468) &+ 3
        let (century, quarterOfCentury) = quarters.quotientAndRemainder(dividingBy: 146_097)
        let product = 2_939_745 &* UInt64(quarterOfCentury | 3)
        let yearOfCentury = UInt32(truncatingIfNeeded: product &>> 32)
        let dayOfYear = UInt32(truncatingIfNeeded: product) / 2_939_745 / 4
        let monthAndDay = 2141 &* dayOfYear &+ 197_913
        // January and February are the last months of a year that begins in March.
        let isNextYear = dayOfYear >= 306
        let (month, year) = (Int(monthAndDay &>> 16), Int(100 &* century &+ yearOfCentury))
        return Civil(
            year: isNextYear ? year + 1 : year, month: isNextYear ? month - 12 : month,
            day: Int((monthAndDay & 0xFFFF) / 2141 &+ 1),
            hour: rest / 3600, minute: rest / 60 % 60, second: rest % 60, nanosecond: Int(nanosecond))
    }
}

extension Timestamp: Comparable {
    /// Returns whether a timestamp is earlier than another one.
    @inlinable public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.nanosecondsSince1970 < right.nanosecondsSince1970
    }

    /// Returns the time from `other` to this timestamp; negative if this one is earlier.
    public func since(_ other: Timestamp) -> Duration {
        let (difference, overflow) = nanosecondsSince1970.subtractingReportingOverflow(other.nanosecondsSince1970)
        guard overflow else { return .nanoseconds(difference) }
        let exact = Int128(nanosecondsSince1970) - Int128(other.nanosecondsSince1970)
        return Duration(attoseconds: exact * 1_000_000_000)
    }

    /// Returns the timestamp that is `duration` later, clamped to the representable range.
    public func advanced(by duration: Duration) -> Timestamp {
        Timestamp(nanosecondsSince1970: Int64(clamping: Int128(nanosecondsSince1970) + duration.wholeNanoseconds))
    }
}
