import LocationCore

/// Whether the receiver's clock and the host's agree.
enum ClockCheck: Check {
    static let name = CheckName.clock

    private static let week = 7 * 86_400.0
    private static let rollover = 1024 * week
    /// What a line and a gpsd may delay a report by.
    private static let latency = 2.0
    /// GPS time has been so far ahead of UTC since 2017.
    private static let leapSeconds = 18.0
    /// A host whose clock shows less was never told the time.
    private static let oldest = Timestamp(year: 2020, month: 1, day: 1)

    static func examine(_ observation: Observation, _ machine: any MachineView) -> CheckAnswer {
        guard let position = observation.positions.last else { return .moot }
        guard let time = position.location.timestamp else {
            return .found(
                .remark(
                    "the positions have no time", why: "the receiver has not heard the time from a satellite yet",
                    remedy: ["wait a minute"]))
        }
        let host = position.moment.wall
        let offset = time.since(host).inSeconds
        if let oldest, host < oldest, time >= oldest {
            return .found(unset(host, time))
        }
        let turns = (offset / rollover).rounded()
        if turns != 0, (offset - turns * rollover).magnitude < week {
            return .found(rolledOver(time, Int(clamping: turns)))
        }
        // Late is what every report is; early cannot be.
        guard offset > latency / 2 || offset < -latency else {
            var text = TextBuffer()
            text.put("the position's time is the host's to ")
            text.put(spoken: Duration(clampingSeconds: offset.magnitude))
            return .found(.ok(text.text))
        }
        if let finding = leap(offset) { return .found(finding) }
        return .found(apart(offset, machine))
    }

    private static func unset(_ host: Timestamp, _ time: Timestamp) -> Finding {
        .remark(
            "the host's clock shows \(host.formatted(fractionDigits: 0)), the receiver's \(time.formatted(fractionDigits: 0))",
            why: "the host has no battery for its clock, or was never told the time",
            remedy: ["sudo timedatectl set-ntp true", "or let chrony take it from gpsd: refclock SHM 0 in chrony.conf"])
    }

    private static func rolledOver(_ time: Timestamp, _ turns: Int) -> Finding {
        let weeks = turns * 1024
        let right = time.advanced(by: Duration(clampingSeconds: rollover) * (-turns))
        return .remark(
            "the receiver's date is off by \(weeks.magnitude) weeks: it says \(date(time)), and it is \(date(right))",
            why: "GPS counts weeks up to 1024, and the receiver's firmware takes them to begin in another year",
            remedy: [
                "look for newer firmware from its maker; the position itself is right",
                "until then do not take the time from it: leave it out of chrony and ntpd",
            ])
    }

    private static func leap(_ offset: Double) -> Finding? {
        let whole = offset.rounded(.up)
        guard offset > latency / 2, whole <= leapSeconds else { return nil }
        return .remark(
            "the receiver's clock is \(Int(clamping: whole)) s ahead of the host's",
            why: whole == leapSeconds
                ? "it shows GPS time: it has not heard of the leap seconds yet"
                : "it counts leap seconds by an old table until it hears the new one",
            remedy: ["the satellites tell it every 12.5 minutes: wait that long under an open sky"])
    }

    private static func apart(_ offset: Double, _ machine: any MachineView) -> Finding {
        let apart = Duration(clampingSeconds: offset.magnitude).spoken
        let isSynchronized = machine.clockIsSynchronized == true
        return .remark(
            "the receiver's clock is \(apart) \(offset > 0 ? "ahead of" : "behind") the host's",
            why: isSynchronized
                ? "a time server keeps the host's clock, so the receiver's is wrong or its reports come late"
                : "no time server keeps the host's clock",
            remedy: [
                isSynchronized
                    ? "see how old the positions are: locwatch --max-age 5s" : "sudo timedatectl set-ntp true"
            ])
    }

    private static func date(_ time: Timestamp) -> String { String(time.formatted(fractionDigits: 0).prefix(10)) }
}
