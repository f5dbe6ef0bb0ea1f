import Glibc
import LocationCore
import LocationTracks

/// The lines that make a receiver a reference clock of chrony and of ntpsec.
///
/// Both add their correction (`offset`, `time1`) to the receiver's time minus the system's. A late message makes that
/// difference too small, so its correction is positive. The line for chrony is tried with a real chronyd (`make test-time`);
/// that `time1` has the same sign is known from the documentation of ntpsec only.
struct RefclockLines: Hashable, Sendable {
    /// The lines for chrony.conf, comments included.
    private(set) var chrony: [String] = []
    /// The lines for the ntp.conf of ntpsec, comments included.
    private(set) var ntpsec: [String] = []

    /// Whether the delay of the messages of a receiver is unknown, so that its lines are marked.
    private(set) var hasUnknownDelay = false

    /// The number of receivers that have a name of their own in the lines.
    private static let limit = 9
    /// The `delay` of messages whose delay is unknown: half of it covers half a second of error either way.
    private static let unknownDelay = "delay 1.0"

    /// Creates the lines for all receivers of a session.
    init(_ reports: [ClockReport]) {
        for (index, report) in reports.enumerated() { add(report, index) }
    }

    /// Creates the lines for the receiver at a place among all receivers of a session.
    init(_ report: ClockReport, at index: Int) { add(report, index) }

    private mutating func add(_ report: ClockReport, _ index: Int) {
        // A receiver with a wrong date would set the clock of the machine by years.
        guard index < Self.limit, report.wrongDate == nil else { return }
        let number = index == 0 ? "" : "\(index + 1)"
        if let message = report.message {
            // The pulse has the unit after that of the messages.
            let unit = message.unit ?? report.pulse?.unit.flatMap { $0 % 2 == 1 ? $0 - 1 : nil }
            if unit == nil { addToBoth("# gpsd has not reported the unit; a gpsd started by root begins with 0.") }
            add(message, report, unit ?? min(2 * index, 254), "GPS\(number)")
        }
        if let pulse = report.pulse { add(pulse, report, "PPS\(number)", index) }
    }

    private mutating func add(_ message: ClockReport.Signal, _ report: ClockReport, _ unit: Int, _ name: String) {
        let precision = Self.precision(message.precision ?? -1)
        guard let delay = report.delay else {
            hasUnknownDelay = true
            addToBoth("# UNKNOWN DELAY: this line is only right to a second.")
            chrony.append("refclock SHM \(unit) refid \(name) \(Self.unknownDelay) precision \(precision)")
            ntpsec.append("refclock shm unit \(unit) refid \(name)")
            return
        }
        let correction = Self.seconds(delay.nanoseconds, roundedTo: 1_000_000, decimals: 3)
        let width = Self.width(of: message.figures, least: 1_000_000, decimals: 3) ?? "0.001"
        chrony.append("refclock SHM \(unit) refid \(name) offset \(correction) delay \(width) precision \(precision)")
        ntpsec.append("refclock shm unit \(unit) refid \(name) time1 \(correction)")
    }

    private mutating func add(_ pulse: ClockReport.Signal, _ report: ClockReport, _ name: String, _ index: Int) {
        let width = Self.width(of: pulse.figures, least: 1000, decimals: 6).map { " delay \($0)" } ?? ""
        let tail = "refid \(name)\(width) precision \(Self.precision(pulse.precision ?? -20))"
        if let unit = pulse.unit {
            chrony.append("refclock SHM \(unit) \(tail)")
            ntpsec.append("refclock shm unit \(unit) refid \(name)")
            return
        }
        if let path = Self.socket(of: report.device) {
            chrony.append("# chronyd makes this socket, and gpsd finds it only if it starts after chronyd.")
            chrony.append("refclock SOCK \(path) \(tail)")
        } else {
            chrony.append(
                "# The pulse has no line: gpsd has reported neither its unit nor a usable name of its device.")
        }
        ntpsec.append("# gpsd has not reported the unit of the pulse; a gpsd started by root begins with 1.")
        ntpsec.append("refclock shm unit \(min(2 * index + 1, 255)) refid \(name)")
    }

    private mutating func addToBoth(_ comment: String) {
        chrony.append(comment)
        ntpsec.append(comment)
    }

    /// Returns the socket to which gpsd sends the pulses of a device, or `nil` if its name is not that of a file.
    ///
    /// The name comes from outside and goes into a configuration file, so only plain characters are accepted.
    static func socket(of device: String?) -> String? {
        guard let name = device?.split(separator: "/", omittingEmptySubsequences: false).last, !name.isEmpty,
            name.utf8.count <= 64, name.first != ".",
            name.utf8.allSatisfy({ $0.isLetterOrDigit || "._-".utf8.contains($0) })
        else { return nil }
        return "/run/chrony.\(name).sock"
    }

    /// Returns a range that holds nearly all offsets, six standard deviations wide, or `nil` if it is below `least`.
    ///
    /// chrony adds half of it to the largest error that it assumes.
    private static func width(of figures: ClockFigures, least: Int64, decimals: Int) -> String? {
        let width = Int64(clamping: figures.jitter.map { 6 * $0 } ?? 2 * Double(figures.spread))
        guard width >= least else { return nil }
        let steps = min(width, 10_000_000_000) / least + 1
        return seconds(steps * least, roundedTo: least, decimals: decimals)
    }

    /// Returns a number of nanoseconds in seconds, rounded, as in `0.143`.
    private static func seconds(_ nanoseconds: Int64, roundedTo step: Int64, decimals: Int) -> String {
        let rounded = (Double(nanoseconds) / Double(step)).rounded() * Double(step)
        return TextBuffer.text { $0.put(fixed: rounded / 1e9, decimals: decimals) }
    }

    /// Returns the power of ten below an exponent of two, as in `1e-7` for −20.
    private static func precision(_ exponent: Int) -> String {
        let exponent = Double(max(-60, min(exponent, 0)))
        return "1e\(Int(clamping: (exponent * log10(2)).rounded(.down)))"
    }
}
