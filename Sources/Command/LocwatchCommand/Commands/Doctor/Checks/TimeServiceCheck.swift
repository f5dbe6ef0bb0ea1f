import LocationCore
import LocationTracks
import LocwatchArguments
import LocwatchPlatform
import LocwatchSession
import LocwatchTerminal

/// The check that the receiver's time reaches the system clock, if gpsd compares the two or chrony expects it.
enum TimeServiceCheck {
    /// The kernel's list of sockets.
    private static let sockets = "/proc/net/unix"
    /// The number of bytes from which on a text may have been cut off.
    private static let textLimit = 65_536
    /// The delays that are half a second within the usual jitter, in nanoseconds.
    private static let halfSecond: ClosedRange<Int64> = 400_000_000...600_000_000

    static func examine(_ observation: Observation, _ machine: any ExaminedMachine) -> Finding {
        // A private gpsd ends with locwatch, so it serves no clock.
        guard observation.source.endpoint != nil, observation.isHere else { return .moot }
        if let finding = socket(observation, machine) ?? pause(observation, machine) { return finding }
        let reports = ClockReport.all(observation.clocks, isKept: machine.clockIsSynchronized == true)
        guard let best = reports.first(where: { $0.pulse != nil }) ?? reports.first, let figures = best.best?.figures
        else { return .moot }
        if let finding = reports.lazy.compactMap({ halfSecondLate($0, observation) }).first { return finding }
        let words = ClockText.words(figures.median, .utf8)
        let found =
            best.pulse != nil
            ? "\(words), by the pulse of \(best.device?.printable ?? "the receiver")"
            : "gpsd compares the clocks at the receiver's messages; there is no pulse"
        // gpsd gives no time from a pseudo terminal.
        let isTerminal = best.device.map(machine.isTerminal) ?? false
        guard machine.clockIsSynchronized == false, !isTerminal else { return .ok(found) }
        return .remark(
            found, why: "nothing disciplines the system clock, although the receiver could",
            remedy:
                "run 'locwatch time\(observation.source.argument)', and copy the line that it prints into chrony.conf",
            "then: sudo systemctl restart chrony && sudo systemctl restart gpsd")
    }

    // MARK: chrony's sockets

    /// Returns the fault of a socket over which gpsd gives a receiver's pulses to chrony, if any.
    private static func socket(_ observation: Observation, _ machine: any ExaminedMachine) -> Finding? {
        let configured = configuredSockets(machine)
        let usual = observation.devices.compactMap { RefclockLines.socket(of: $0.path) }
        let existing = usual.filter { machine.file($0) != nil }
        let chronyd = machine.started("chronyd")
        for path in existing where chronyd == nil || !isRead(path, machine) {
            let found = "nothing reads the socket \(path.printable)"
            guard chronyd != nil else {
                return .remark(
                    found, why: "chronyd, which made it, does not run",
                    remedy: "sudo systemctl enable --now chrony", "then: sudo systemctl restart gpsd")
            }
            return .remark(
                found,
                why: "an earlier chronyd made it, and the configuration of the running one does not name it",
                remedy: "print the line for chrony.conf: locwatch time\(observation.source.argument)",
                "then: sudo systemctl restart chrony && sudo systemctl restart gpsd")
        }
        guard let chronyd, let gpsd = machine.started("gpsd"), chronyd > gpsd,
            let path = existing.first ?? configured.first(where: { usual.contains($0) })
        else { return nil }
        return .remark(
            "chronyd was started after gpsd, which therefore does not use \(path.printable)",
            why: "gpsd looks for the socket only when it opens the receiver", remedy: "sudo systemctl restart gpsd")
    }

    /// Returns the paths of the sockets in chrony's configuration.
    private static func configuredSockets(_ machine: any ExaminedMachine) -> [String] {
        ReferenceClock.all(of: .chrony, machine).compactMap(\.socket)
    }

    /// Returns whether a program has a socket bound to a path, or whether that cannot be known.
    private static func isRead(_ path: String, _ machine: any ExaminedMachine) -> Bool {
        guard let text = machine.text(sockets), text.utf8.count < textLimit else { return true }
        return text.split(separator: "\n").contains { $0.hasSuffix(" \(path)") || $0.hasSuffix(" /var\(path)") }
    }

    // MARK: gpsd's option -n

    /// Returns a remark about a time service that gpsd gives time only while another program watches, if any.
    private static func pause(_ observation: Observation, _ machine: any ExaminedMachine) -> Finding? {
        guard let gpsd = machine.daemon(at: observation.port), !gpsd.arguments.readsAtOnce,
            let clock = ReferenceClock.all(machine).first
        else { return nil }
        return .remark(
            "gpsd runs without -n, so it reads the receiver only while a program watches it",
            why: "\(clock.service.name) has a reference clock of gpsd (in \(clock.file)), which has no time otherwise",
            remedy: "in /etc/default/gpsd: GPSD_OPTIONS=\"-n\"",
            "then, for now and for each start: sudo systemctl enable gpsd && sudo systemctl restart gpsd")
    }

    // MARK: late messages

    /// Returns a remark about a MediaTek receiver whose messages come half a second after the second.
    private static func halfSecondLate(_ report: ClockReport, _ observation: Observation) -> Finding? {
        guard let driver = observation.devices.first(where: { $0.path == report.device })?.driver,
            driver.uppercased().containsBytes(of: "MTK"), let delay = report.delay,
            halfSecond.contains(delay.nanoseconds)
        else { return nil }
        return .remark(
            "the messages of the MediaTek receiver come \(ClockText.amount(Double(delay.nanoseconds), .utf8)) late",
            why: "such receivers send them half a second after the second, so a time service that does not know it "
                + "is wrong by that much, or takes the wrong second for the pulse",
            remedy: "put the measured offset into chrony.conf: locwatch time\(observation.source.argument)")
    }
}
