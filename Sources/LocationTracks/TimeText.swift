import LocationCore

/// Times as text, quickly: the date is made once a day.
struct TimeText: Sendable {
    private var day = Int64.min
    private var date: [UInt8] = []

    /// RFC 3339 in UTC with as many digits after the point as the time needs: none, three, six or nine.
    mutating func append(_ time: Timestamp, to bytes: inout [UInt8]) {
        let clock = split(time)
        bytes.append(contentsOf: date)
        bytes.append(UInt8(ascii: "T"))
        DecimalText.append(clock.hour, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        DecimalText.append(clock.minute, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        DecimalText.append(clock.second, digits: 2, to: &bytes)
        if clock.nanosecond > 0 {
            bytes.append(UInt8(ascii: "."))
            let (unit, digits) =
                clock.nanosecond % 1_000_000 == 0 ? (1_000_000, 3) : clock.nanosecond % 1000 == 0 ? (1000, 6) : (1, 9)
            DecimalText.append(clock.nanosecond / unit, digits: digits, to: &bytes)
        }
        bytes.append(UInt8(ascii: "Z"))
    }

    /// The time of day as NMEA has it, `hhmmss.sss`, cut to the millisecond.
    mutating func append(nmeaTime time: Timestamp, to bytes: inout [UInt8]) {
        let clock = split(time)
        DecimalText.append(clock.hour, digits: 2, to: &bytes)
        DecimalText.append(clock.minute, digits: 2, to: &bytes)
        DecimalText.append(clock.second, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: "."))
        DecimalText.append(clock.nanosecond / 1_000_000, digits: 3, to: &bytes)
    }

    /// The date as NMEA has it, `ddmmyy`.
    mutating func append(nmeaDate time: Timestamp, to bytes: inout [UInt8]) {
        _ = split(time)
        bytes.append(contentsOf: date[8...9])
        bytes.append(contentsOf: date[5...6])
        bytes.append(contentsOf: date[2...3])
    }

    private mutating func split(_ time: Timestamp) -> (hour: Int, minute: Int, second: Int, nanosecond: Int) {
        let nanosecondsADay: Int64 = 86_400_000_000_000
        var (day, rest) = time.nanosecondsSince1970.quotientAndRemainder(dividingBy: nanosecondsADay)
        if rest < 0 {
            rest += nanosecondsADay
            day -= 1
        }
        if day != self.day {
            self.day = day
            date = Array(time.formatted(fractionDigits: 0).utf8.prefix(10))
        }
        let (seconds, nanosecond) = Int(rest).quotientAndRemainder(dividingBy: 1_000_000_000)
        return (seconds / 3600, seconds / 60 % 60, seconds % 60, nanosecond)
    }
}
