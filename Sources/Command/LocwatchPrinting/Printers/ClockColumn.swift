package import LocationCore
import LocwatchSupport
package import LocwatchTerminal

/// The column with the time of day, and the date lines between other lines.
///
/// Times have whole seconds, or a fraction if a receiver reports more than once a second. A gpsd's first epoch waits for the
/// next one, so that all its lines have the same columns; a source without epochs has the fraction from its second line on.
package struct ClockColumn: Sendable {
    let localTime: LocalTime
    let usesColor: Bool
    /// The day and the time of the last date line.
    private var lastDate: (day: Timestamp.Civil?, time: Timestamp?) = (nil, nil)
    /// Whether the next date belongs to the line itself.
    private var hasInlineDate = false
    /// Whether the receiver's clock is not that of this machine, whose lines then have no date of their own.
    private var isReceiverApart = false
    /// The time of each receiver's first position, until its second one.
    private var firsts = PerDevice<Timestamp?>()
    private var fractionDigits = 0

    /// The difference from which on two clocks are not the same.
    private static let clockTolerance = Duration.seconds(60)

    package init(localTime: LocalTime, usesColor: Bool) {
        self.localTime = localTime
        self.usesColor = usesColor
    }

    /// The width of a time with the space after it.
    var width: Int { 10 + (fractionDigits > 0 ? 1 + fractionDigits : 0) + (hasInlineDate ? 12 : 0) }

    /// Omits the date if it is that of `now`; any other is a part of the line itself, or has a line of its own.
    mutating func useDateOfToday(_ now: Timestamp, isInline: Bool) {
        lastDate.day = localTime.civil(now)
        hasInlineDate = isInline
    }

    /// Shows fractions of a second from now on if a receiver's cycle is shorter than a second.
    mutating func adjustFraction(to status: DeviceStatus) {
        guard let cycle = status.cycle, cycle < .milliseconds(950), firsts[status.path] == nil else { return }
        fractionDigits = max(fractionDigits, Self.decimals(of: Int(clamping: cycle / .milliseconds(1))))
    }

    /// Shows fractions of a second from now on if the second position of a receiver follows within `Location.assemblyLimit`,
    /// for which the first one may have waited.
    mutating func adjustFraction(to location: Location, emittedAt moment: Moment) {
        guard let time = location.timestamp else { return }
        let interval: Duration
        if let place = firsts.index(of: location.device) {
            // The transition to the first fix carries its position, too.
            guard let first = firsts[place: place], first != time else { return }
            firsts[place: place] = nil
            interval = time.since(first)
        } else {
            firsts[location.device, default: time] = time
            interval = location.received.map { moment.wall.since($0) } ?? .zero
        }
        guard interval > .zero, interval < Location.assemblyLimit else { return }
        let hundredths = Int(clamping: (interval + .milliseconds(5)) / .milliseconds(10))
        fractionDigits = max(
            fractionDigits, Self.decimals(of: hundredths * 10), Self.decimals(of: time.civil.nanosecond / 1_000_000))
    }

    /// Returns the number of decimals that seconds with these milliseconds need.
    private static func decimals(of milliseconds: Int) -> Int {
        [1000, 100, 10].firstIndex { milliseconds % $0 == 0 } ?? 3
    }

    /// Appends a time, after a date line if the date or the offset from UTC differs from that of the line before.
    ///
    /// - Parameter received: The time of arrival of a line whose time is the receiver's.
    package mutating func put(_ time: Timestamp, received: Timestamp? = nil, into out: inout TextBuffer) {
        if let received {
            let difference = time.since(received)
            isReceiverApart = max(difference, .zero - difference) > Self.clockTolerance
        }
        // A recording without any time has moments at 1970.
        if time == Timestamp(nanosecondsSince1970: 0) {
            hasInlineDate = false
            out.put("--:--:--")
            if fractionDigits > 0 { out.put(repeating: UInt8(ascii: " "), count: 1 + fractionDigits) }
            return out.put("  ")
        }
        let civil = localTime.civil(time)
        let last = lastDate.day.map { ($0.year, $0.month, $0.day) } ?? (0, 0, 0)
        let isSameDay = last == (civil.year, civil.month, civil.day)
        if hasInlineDate {
            hasInlineDate = !isSameDay
            if !isSameDay {
                out.put(date: civil)
                out.put("  ")
            }
        } else if received == nil, isReceiverApart {
            // Dates of both clocks would alternate.
        } else if !isSameDay || !(lastDate.time.map { localTime.hasSameOffset($0, time) } ?? true) {
            let day = TextBuffer.text { $0.put(date: civil) }
            out.put("\(day)  \(localTime.zone(time))", in: .faint, if: usesColor)
            out.put("\n")
            (lastDate.day, lastDate.time) = (civil, time)
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
