import LocationCore

/// The times of day at the beginning of lines, and the lines with the date between them.
///
/// Every line has the same form: to the second, or with a fraction once a receiver reports more than once a second.
struct ClockColumn: Sendable {
    let localTime: LocalTime
    let usesColor: Bool
    private var day: Timestamp.Civil?
    private var latest = PerDevice<Timestamp>()
    private var isFast = false
    private var fractionDigits = 0
    private var hasInlineDate = false

    init(localTime: LocalTime, usesColor: Bool) {
        self.localTime = localTime
        self.usesColor = usesColor
    }

    /// How many columns a time takes, with the space after it.
    var width: Int { 10 + (fractionDigits > 0 ? 1 + fractionDigits : 0) + (hasInlineDate ? 12 : 0) }

    /// Leaves out the line with the date: the line itself has it if the day is another than that of `now`.
    mutating func useInlineDate(now: Timestamp) {
        day = localTime.civil(now)
        hasInlineDate = true
    }

    /// Learns from the cycle of a receiver.
    mutating func note(_ status: DeviceStatus) {
        if let cycle = status.cycle, cycle < .milliseconds(950) { isFast = true }
    }

    /// Learns from the time of a position.
    mutating func note(_ time: Timestamp, of device: String?) {
        if let last = latest[device], time > last, time.since(last) < .milliseconds(950) { isFast = true }
        latest[device, default: time] = time
        if isFast { fractionDigits = max(fractionDigits, time.millisecondDigits) }
    }

    /// Puts a time; when its date is another than that of the line before, a line with the date comes first.
    mutating func put(_ time: Timestamp, into out: inout TextBuffer) {
        // The moments of a recording that tells no time at all.
        if time == Timestamp(nanosecondsSince1970: 0) {
            hasInlineDate = false
            out.put("--:--:--")
            if fractionDigits > 0 { out.put(repeating: UInt8(ascii: " "), count: 1 + fractionDigits) }
            return out.put("  ")
        }
        let civil = localTime.civil(time)
        let isSameDay = day.map { ($0.year, $0.month, $0.day) == (civil.year, civil.month, civil.day) } ?? false
        if hasInlineDate {
            hasInlineDate = !isSameDay
            if !isSameDay {
                out.put(date: civil)
                out.put("  ")
            }
        } else if !isSameDay {
            var date = TextBuffer()
            date.put(date: civil)
            date.put("  \(localTime.zone(time))")
            out.put(date.text, in: .faint, if: usesColor)
            out.put("\n")
            day = civil
        }
        out.put(clock: civil)
        if fractionDigits > 0 {
            out.put(UInt8(ascii: "."))
            let milliseconds = UInt64(civil.nanosecond / 1_000_000)
            out.put(digits: milliseconds / [100, 10, 1][fractionDigits - 1], width: fractionDigits)
        }
        out.put("  ")
    }
}

extension Timestamp {
    /// How many digits after the second tell it to the millisecond.
    fileprivate var millisecondDigits: Int {
        let milliseconds = civil.nanosecond / 1_000_000
        return milliseconds == 0 ? 0 : milliseconds % 100 == 0 ? 1 : milliseconds % 10 == 0 ? 2 : 3
    }
}
