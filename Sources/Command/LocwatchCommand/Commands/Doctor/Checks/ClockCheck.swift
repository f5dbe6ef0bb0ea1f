import LocationCore
import LocwatchArguments
import LocwatchSession
import LocwatchTerminal

/// The check that the receiver's clock and the host's agree.
enum ClockCheck {
    /// The maximum delay of a report by the line and gpsd, in seconds.
    private static let latency = 2.0
    /// The offset of GPS time from UTC since 2017, in seconds.
    private static let leapSeconds = 18.0
    /// A host clock before this date was never set.
    private static let oldest = Timestamp(year: 2020, month: 1, day: 1)

    static func examine(_ observation: Observation, _ machine: any ExaminedMachine) -> Finding {
        guard let position = observation.positions.last else { return .moot }
        guard let time = position.location.timestamp else {
            return .remark(
                "the positions have no time", why: "the receiver has not received the time from a satellite yet",
                remedy: "wait a minute")
        }
        let host = position.moment.wall
        let offset = time.since(host).inSeconds
        if let oldest, host < oldest, time >= oldest { return unset(host, time) }
        if let fault = WrongDate(time, host: host, isLive: observation.source.isLive) { return wrong(fault, time) }
        // Every report arrives late, and none can arrive early.
        guard offset > latency / 2 || offset < -latency else {
            let apart = Duration(clampingSeconds: offset.magnitude).spoken
            return .ok("the position's time agrees with the host's within \(apart)")
        }
        return leap(offset) ?? apart(offset, machine)
    }

    private static func unset(_ host: Timestamp, _ time: Timestamp) -> Finding {
        .remark(
            "the host's clock shows \(host.formatted(fractionDigits: 0)), the receiver's \(time.formatted(fractionDigits: 0))",
            why: "the host's clock has no battery, or was never set",
            remedy: "sudo timedatectl set-ntp true", "or let chrony use gpsd: refclock SHM 0 in chrony.conf")
    }

    private static func wrong(_ fault: WrongDate, _ time: Timestamp) -> Finding {
        let cause =
            switch fault {
            case .rollover:
                "GPS week numbers repeat after 1024 weeks, and the receiver's firmware assumes the wrong cycle"
            case .old: "the receiver has not received the date yet, or its firmware assumes the wrong one"
            }
        let remedy =
            switch fault {
            case .rollover: "look for newer firmware from its maker; the position itself is correct"
            case .old:
                "wait a quarter of an hour under an open sky; if it stays, look for newer firmware from its maker"
            }
        return .remark(
            "the receiver's date is \(fault.words(time))", why: cause,
            remedy: remedy, "until then, do not use its time: remove it from chrony and ntpd")
    }

    private static func leap(_ offset: Double) -> Finding? {
        let whole = offset.rounded(.up)
        guard offset > latency / 2, whole <= leapSeconds else { return nil }
        return .remark(
            "the receiver's clock is \(Int(clamping: whole)) s ahead of the host's",
            why: whole == leapSeconds
                ? "it shows GPS time: it has not received the leap seconds yet"
                : "it uses an old table of leap seconds until it receives the new one",
            remedy: "the satellites send it every 12.5 minutes: wait that long under an open sky")
    }

    private static func apart(_ offset: Double, _ machine: any ExaminedMachine) -> Finding {
        let apart = Duration(clampingSeconds: offset.magnitude).spoken
        let isSynchronized = machine.clockIsSynchronized == true
        return .remark(
            "the receiver's clock is \(apart) \(offset > 0 ? "ahead of" : "behind") the host's",
            why: isSynchronized
                ? "the host's clock is synchronized, so the receiver's is wrong or its reports arrive late"
                : "the host's clock is not synchronized",
            remedy: isSynchronized
                ? "check the age of the positions: locwatch --max-age 5s" : "sudo timedatectl set-ntp true")
    }
}
