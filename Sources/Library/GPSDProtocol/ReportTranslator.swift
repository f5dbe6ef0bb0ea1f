package import LocationCore
import LocwatchSupport

/// A translator from gpsd's reports to events and to parts of epochs, which the `EpochAssembler` that gets them makes whole.
///
/// Use one translator per connection or recording. It reads no clock, so that a replay gives the same events as the
/// live session.
package struct ReportTranslator: Hashable, Sendable {
    /// The maximum number of receivers that are followed; gpsd itself has fewer than ten.
    private static let receiverLimit = 256
    /// The number of satellites that is enough for a fix.
    private static let satellitesOfFix = 4
    /// The maximum number of devices of a fleet, live or recorded; each takes some kilobytes in a command.
    package static let fleetLimit = 40_000

    private struct Receiver: Hashable {
        var lastSearch = SearchReason.noFix(seen: nil, used: nil, best: nil)
        /// Whether the last report was a position.
        var isFound = false
        /// Whether a notice has named the date of the receiver.
        var isDateDoubted = false
        var lastReport: ReceiverReport?
        /// Whether a report has shown that the angles of its attitude are counts, and not degrees.
        var hasRawAngles = false
        /// The implausible fields that a notice has already named.
        var implausible: ImplausibleFields = []
    }

    private var receivers = PerDevice<Receiver>()
    private var hasReportedLimit = false
    private var devices = DeviceActivityTracker()
    private var hasGreeted = false
    private var isAuthorized = false
    private var isSentReports = false
    private var hasMissedRequested = false
    private var listsSatellites: Bool
    private var limit = ReportTranslator.receiverLimit
    /// Whether the moments say when the reports arrived; otherwise a position arrives at its own time.
    var hasArrivals = true
    /// The live connection, or `nil` for a recording.
    var connection: LiveConnection? {
        didSet {
            devices.connection = connection
            isLive = connection != nil
            isSimulated = connection?.isSimulated ?? true
        }
    }
    // What each position needs of the connection, which would be copied for it.
    private var isLive = false
    private var isSimulated = true
    /// Whether the bytes were buffered while the process was paused, so that their positions are late.
    var isBacklog = false

    /// Creates a translator for a new session that lists satellites individually, or only counts them.
    package init(listsSatellites: Bool = true) { self.listsSatellites = listsSatellites }

    /// Admits as many devices as there are machines with names.
    mutating func admitMachines() {
        limit = Self.fleetLimit
        devices.limit = Self.fleetLimit
        // The lists of so many devices would need gigabytes.
        listsSatellites = false
    }

    /// Passes on what a report says, in order.
    package mutating func translate(_ report: GPSDReport, at moment: Moment, to epochs: inout EpochAssembler) {
        switch report {
        case .tpv(let report): process(report, at: moment, &epochs)
        case .sky(let report): process(report, at: moment, &epochs)
        case .att(let report): process(report, at: moment, &epochs)
        case .poll(let report):
            // `?POLL` returns cached fixes, which prove neither that the receiver is alive nor that it is searching.
            // Ignore them while watching, or a lost receiver would reappear.
            guard !isSentReports else { return }
            for report in report.tpv where report.mode >= 2 && follows(report.receiver, at: moment, &epochs) {
                locate(report, at: moment, &epochs)
            }
        case .device(let report): devices.update(report, at: moment, &epochs)
        case .devices(let report):
            devices.list(report.devices, at: moment, &epochs)
            missRequested(among: report.devices, at: moment, &epochs)
        case .version(let report): greet(report, at: moment, &epochs)
        case .watch(let report):
            if let enable = report.enable { isSentReports = enable && report.json == true }
            guard report.enable == true, !isAuthorized else { return }
            isAuthorized = true
            epochs.process(.authorization(.authorized), at: moment)
        case .error(let report): process(error: report.message ?? "an error without a message", at: moment, &epochs)
        case .toff(let report): compare(ClockSample(report, .message), of: report.device, at: moment, &epochs)
        case .pps(let report): compare(ClockSample(report, .pulse), of: report.device, at: moment, &epochs)
        case .gst, .mark, .other: break
        }
    }

    /// Returns the index of a receiver, after adding it if it is new.
    private mutating func index(of device: String?) -> Int { receivers.place(of: device, default: Receiver()) }

    /// Returns whether a receiver is followed; the limit keeps a peer that invents names from exhausting memory.
    private mutating func follows(_ device: String?, at moment: Moment, _ epochs: inout EpochAssembler) -> Bool {
        if receivers.count < limit || receivers[device] != nil { return true }
        if !hasReportedLimit {
            epochs.process(.notice(.message("more than \(limit) receivers: ignoring the others")), at: moment)
        }
        hasReportedLimit = true
        return false
    }

    /// Emits a failure, once, if none of gpsd's devices matches the requested pattern.
    private mutating func missRequested(among listed: [DeviceReport], at moment: Moment, _ epochs: inout EpochAssembler)
    {
        guard let text = connection?.pattern, !hasMissedRequested, !listed.isEmpty else { return }
        let pattern = NamePattern(text)
        guard !listed.contains(where: { $0.path.map(pattern.matches) ?? true }) else { return }
        hasMissedRequested = true
        epochs.process(.failure(.deviceUnknown(path: text, known: devices.first)), at: moment)
    }

    /// Emits the connection once, because a daemon that relays another one's reports also relays its greeting
    /// mid-session.
    private mutating func greet(_ report: VersionReport, at moment: Moment, _ epochs: inout EpochAssembler) {
        guard !hasGreeted else { return }
        hasGreeted = true
        epochs.process(.searching(.connected(release: report.release)), at: moment)
    }

    private mutating func process(_ report: TPVReport, at moment: Moment, _ epochs: inout EpochAssembler) {
        guard follows(report.receiver, at: moment, &epochs) else { return }
        devices.hear(from: report.receiver, at: moment, &epochs)
        if let time = report.time { doubt(time, of: report.receiver, at: moment, &epochs) }
        switch report.mode {
        case 1:
            if report.tellsAntenna { describe(report, at: moment, &epochs) }
            epochs.process(.searching(search(of: report.receiver), device: report.receiver), at: moment)
        case 2...: locate(report, at: moment, &epochs)
        default: describe(report, at: moment, &epochs)  // Mode 0 has no information; receivers flap between it and 1.
        }
    }

    /// Returns the reason for a receiver without a fix.
    ///
    /// With the first report without a fix, the satellites can still be those of the last epoch with one. A count of used
    /// ones that is enough for a fix is then not reported.
    private mutating func search(of device: String?) -> SearchReason {
        let index = index(of: device)
        defer { receivers[place: index].isFound = false }
        let reason = receivers[place: index].lastSearch
        guard receivers[place: index].isFound, case .noFix(let seen, let used?, let best) = reason,
            used >= Self.satellitesOfFix
        else { return reason }
        return .noFix(seen: seen, used: nil, best: best)
    }

    /// Emits the receiver's status from a report without a position, if it has changed.
    private mutating func describe(_ report: TPVReport, at moment: Moment, _ epochs: inout EpochAssembler) {
        let index = index(of: report.receiver)
        let description = ReceiverReport(
            device: report.receiver, antennaStatus: report.numbers[count: .antennaStatus],
            jamming: report.numbers[count: .jamming])
        guard receivers[place: index].lastReport != description else { return }
        receivers[place: index].lastReport = description
        epochs.process(.receiver(description), at: moment)
    }

    /// Emits a comparison of clocks, unless its times are impossible.
    private mutating func compare(
        _ sample: ClockSample?, of device: String?, at moment: Moment, _ epochs: inout EpochAssembler
    ) {
        guard let sample, follows(device, at: moment, &epochs) else { return }
        epochs.process(.clock(sample), at: moment)
    }

    private mutating func locate(_ report: TPVReport, at moment: Moment, _ epochs: inout EpochAssembler) {
        var faults: ImplausibleFields = []
        guard let position = report.position(&faults) else {
            note(faults, of: report.receiver, at: moment, &epochs)
            // A fix without a position is a report nevertheless.
            if !receivers[place: index(of: report.receiver)].isFound { describe(report, at: moment, &epochs) }
            return
        }
        var draft = LocationDraft(report, at: position, &faults)
        note(faults, of: report.receiver, at: moment, &epochs)
        receivers[place: index(of: report.receiver)].isFound = true
        draft.facts.received = hasArrivals ? moment.wall : report.time ?? moment.wall
        draft.facts.isLate = isBacklog
        draft.facts.isSimulated = isSimulated
        epochs.process(Location(draft), isQualityKnown: report.status != nil, isLive: isLive, at: moment)
    }

    private mutating func process(_ report: SKYReport, at moment: Moment, _ epochs: inout EpochAssembler) {
        guard follows(report.receiver, at: moment, &epochs) else { return }
        devices.hear(from: report.receiver, at: moment, &epochs)
        var faults: ImplausibleFields = []
        let sky = SkyView(report, listsSatellites: listsSatellites, &faults)
        note(faults, of: report.receiver, at: moment, &epochs)
        // Later releases of gpsd send many reports without a list or counts, which does not mean that no satellite is
        // in view.
        if sky.seen != nil {
            receivers[place: index(of: report.receiver)].lastSearch =
                .noFix(seen: sky.seen, used: sky.used, best: sky.census.best)
        }
        epochs.process(.satellites(sky), at: moment)
    }

    private mutating func process(_ report: ATTReport, at moment: Moment, _ epochs: inout EpochAssembler) {
        guard follows(report.receiver, at: moment, &epochs) else { return }
        devices.hear(from: report.receiver, at: moment, &epochs)
        var faults: ImplausibleFields = []
        let attitude = Attitude(report, &faults)
        note(faults, of: report.receiver, at: moment, &epochs)
        // A compass of True North Technologies reports counts unless it is set otherwise, and gpsd passes them on as degrees. An
        // impossible angle shows it; the possible ones of that compass are counts too.
        let index = index(of: report.receiver)
        if report.hasMagnetometerState, !faults.isEmpty { receivers[place: index].hasRawAngles = true }
        guard !receivers[place: index].hasRawAngles, !attitude.isEmpty else { return }
        epochs.process(attitude, at: moment)
    }

    /// Emits one notice for each implausible field of a receiver.
    private mutating func note(
        _ faults: ImplausibleFields, of device: String?, at moment: Moment, _ epochs: inout EpochAssembler
    ) {
        guard !faults.isEmpty else { return }
        let index = index(of: device)
        let news = faults.subtracting(receivers[place: index].implausible)
        receivers[place: index].implausible.formUnion(faults)
        for field in news.names { epochs.process(.notice(.implausibleValue(field: field, device: device)), at: moment) }
    }

    /// Emits a notice, once per receiver, for a date more than half a GPS week rollover away from the session's own
    /// time, which must be the receiver's mistake.
    private mutating func doubt(
        _ time: Timestamp, of device: String?, at moment: Moment, _ epochs: inout EpochAssembler
    ) {
        let halfRollover: UInt64 = 512 * 7 * 86_400 * 1_000_000_000
        let (distance, overflow) = time.nanosecondsSince1970
            .subtractingReportingOverflow(moment.wall.nanosecondsSince1970)
        guard overflow || distance.magnitude > halfRollover else { return }
        let index = index(of: device)
        guard !receivers[place: index].isDateDoubted else { return }
        receivers[place: index].isDateDoubted = true
        epochs.process(.notice(.implausibleDate(time, device: device)), at: moment)
    }
}

extension ReportTranslator {
    /// Emits the event for an ERROR of the daemon; gpsd has no error codes, only these messages.
    private func process(error message: String, at moment: Moment, _ epochs: inout EpochAssembler) {
        func path(after start: String, before end: String = "") -> String? {
            guard message.hasPrefix(start), message.hasSuffix(end) else { return nil }
            return String(message.dropFirst(start.count).dropLast(end.count))
        }
        let error: LocationError
        if let path = path(after: "No such device as ") {
            error = .deviceUnknown(path: path, known: connection == nil ? [] : devices.first)
        } else if let path = path(after: "Can't assign ") ?? path(after: "Can't open ", before: ".") {
            error = .deviceUnusable(path: path, cause: .system(cause: message))
        } else if let connection, !isAuthorized {
            // Before the watch is answered, it is the only command that gpsd can have refused.
            error = .denied(what: connection.watch, cause: "gpsd: \(message)")
        } else {
            epochs.process(.notice(.message("gpsd: \(message)")), at: moment)
            return
        }
        if connection != nil { epochs.process(.authorization(.denied), at: moment) }
        epochs.process(.failure(error), at: moment)
    }
}
