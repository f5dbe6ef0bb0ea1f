import LocationCore

/// The known state of each receiver of a session, and its effect on the search.
///
/// gpsd does not report when a receiver falls silent, sends garbage or is unplugged, but its answers to `?DEVICES;`
/// show it: the time of the last byte stays the same, or advances without a driver, or the device is no longer listed.
struct DeviceActivityTracker: Hashable, Sendable {
    fileprivate struct TrackedDevice: Hashable {
        var status: DeviceStatus
        /// The listing that the next one is compared with.
        var listing: Listing?
        /// Whether any report arrived from the device since that listing.
        var hasReportedSince = false
        var wasOpen = false
    }

    fileprivate struct Listing: Hashable {
        /// The session's time of the listing.
        var moment: Moment
        /// The time of the last byte that the daemon had received from the device.
        var lastHeard: Timestamp
    }

    /// The maximum number of devices in `first`.
    private static let firstLimit = 8

    /// The maximum number of devices that are remembered; gpsd itself has fewer than ten.
    var limit = 256
    /// The live connection, or `nil` for a recording.
    var connection: LiveConnection?
    /// The devices that were reported first, for the message about an unknown one.
    private(set) var first: [String] = []

    private var entries: [String: TrackedDevice] = [:]
    /// The devices that the daemon still has; searching all others for each list would make lists of a fleet quadratic.
    private var present: Set<String> = []
    private var wasEmpty = false
    /// The receiver that was heard last, while hearing it again changes nothing.
    private var heard: String?

    /// Processes the complete list of the daemon's devices.
    mutating func list(_ reports: [DeviceReport], at moment: Moment, _ epochs: inout EpochAssembler) {
        for report in reports { update(report, isListing: true, at: moment, &epochs) }
        let listed = Set(reports.compactMap(\.path))
        // Sorted, so that a replay emits events in the same order as the live session.
        for path in present.subtracting(listed).sorted() {
            guard let entry = entries[path] else { continue }
            // A device that vanishes without ever having been open is one that the daemon failed to open.
            change(path, to: entry.wasOpen ? .gone : .unopenable, at: moment, &epochs)
        }
        if reports.isEmpty, !wasEmpty, entries.isEmpty { epochs.process(.searching(.noDevice), at: moment) }
        wasEmpty = reports.isEmpty
    }

    /// Processes the daemon's report of one device.
    mutating func update(
        _ report: DeviceReport, isListing: Bool = false, at moment: Moment, _ epochs: inout EpochAssembler
    ) {
        guard let path = report.path, !path.isEmpty else { return }
        let before = entries[path]
        guard before != nil || entries.count < limit else { return }
        heard = nil
        var entry = before ?? TrackedDevice(status: DeviceStatus(path: path))
        entry.status.process(report)
        entry.wasOpen = entry.wasOpen || report.activated != nil
        let activity = activity(of: report, before: before, isListing: isListing, at: moment)
        if isListing, entry.hasReportedSince || before?.isToBeCompared(at: moment) != false {
            entry.listing = report.activated.map { Listing(moment: moment, lastHeard: $0) }
            entry.hasReportedSince = false
        }
        set(entry, for: path)
        change(path, to: activity, since: before?.status, at: moment, &epochs)
    }

    /// Records that a receiver has sent a report.
    mutating func hear(from path: String?, at moment: Moment, _ epochs: inout EpochAssembler) {
        guard let path, path != heard, entries[path] != nil || entries.count < limit else { return }
        heard = path
        if entries[path]?.status.activity == .reporting {
            entries[path]?.hasReportedSince = true
            return
        }
        var entry = entries[path] ?? TrackedDevice(status: DeviceStatus(path: path))
        entry.hasReportedSince = true
        entry.wasOpen = true
        let before = entries[path]?.status
        // The list of the daemon tells the last byte before the silence.
        entry.status.lastHeard = max(entry.status.lastHeard ?? moment.wall, moment.wall)
        set(entry, for: path)
        change(path, to: .reporting, since: before, at: moment, &epochs)
    }

    private mutating func set(_ entry: TrackedDevice, for path: String) {
        if entries.updateValue(entry, forKey: path) == nil, first.count < Self.firstLimit { first.append(path) }
    }

    private func activity(
        of report: DeviceReport, before: TrackedDevice?, isListing: Bool, at moment: Moment
    ) -> DeviceStatus.Activity {
        if report.activatedIsUnreadable { return before?.status.activity ?? .unknown }
        guard let activated = report.activated else { return before?.wasOpen == true ? .gone : .idle }
        guard let before else { return report.driver == nil ? .unknown : .reporting }
        if before.hasReportedSince { return .reporting }
        if isListing, let listing = before.listing {
            guard before.isToBeCompared(at: moment) else { return before.status.activity }
            if listing.lastHeard == activated { return .silent }
            if report.driver == nil { return .babbling }
        }
        return report.driver == nil ? before.status.activity : .reporting
    }

    /// Returns why a device gives no position, or `nil` if its activity is not the reason.
    private func searchReason(_ path: String, _ activity: DeviceStatus.Activity) -> SearchReason? {
        switch activity {
        case .unknown, .idle, .reporting: nil
        case .unopenable: .deviceUnopenable(path: path)
        case .silent:
            GPSDQuirks.listsUnplugged && connection?.hasLost(path) == true
                ? .deviceLost(path: path) : .deviceSilent(path: path)
        case .babbling: .deviceBabbling(path: path)
        case .gone: .deviceLost(path: path)
        }
    }

    private mutating func change(
        _ path: String, to activity: DeviceStatus.Activity, since before: DeviceStatus? = nil, at moment: Moment,
        _ epochs: inout EpochAssembler
    ) {
        guard var status = entries[path]?.status else { return }
        let old = before ?? status
        if activity != .reporting { heard = nil }
        status.activity = activity
        // Until the first byte gpsd has the time at which it opened the device.
        if status.driver == nil, activity == .silent || activity == .unknown { status.lastHeard = nil }
        entries[path]?.status = status
        if activity.isPresent { present.insert(path) } else { present.remove(path) }
        var comparable = status
        comparable.lastHeard = old.lastHeard
        guard before == nil || comparable != old else { return }
        epochs.process(.device(status), at: moment)
        guard old.activity != activity || before == nil, let reason = searchReason(path, activity) else { return }
        if let connection, activity == .unopenable, connection.device ?? path == path {
            epochs.process(.authorization(.denied), at: moment)
        }
        epochs.process(.searching(reason, device: path), at: moment)
    }
}

extension DeviceActivityTracker.TrackedDevice {
    /// Whether enough time has passed since the last listing for a comparison.
    ///
    /// Two lists in quick succession prove nothing, because a receiver may pause between two cycles.
    fileprivate func isToBeCompared(at moment: Moment) -> Bool {
        guard let listing else { return true }
        return listing.moment.duration(to: moment) >= max(.milliseconds(1500), (status.cycle ?? .zero) * 2)
    }
}

extension DeviceStatus.Activity {
    /// Whether the daemon still has the device.
    fileprivate var isPresent: Bool { self != .gone && self != .unopenable }
}

extension DeviceStatus {
    /// Updates the status with the values of a report, and keeps those that the report omits.
    fileprivate mutating func process(_ report: DeviceReport) {
        driver = report.driver ?? driver
        subtype = [report.subtype, report.subtype1].compactMap(\.self).joined(separator: " ").nonEmpty ?? subtype
        if let bps = report.bps, 1...100_000_000 ~= bps { speed = bps }
        if let parity = report.parity, let stopbits = report.stopbits {
            // gpsd does not report the data bits: it sets seven with two stop bits, and eight otherwise.
            framing = "\(stopbits == 2 ? 7 : 8)\(parity)\(stopbits)"
        }
        // A position stays current for some cycles, so a cycle of more than an hour, which no receiver has, would keep
        // it current forever.
        if let seconds = report.cycle, seconds > 0, seconds <= 3600 { cycle = Duration(clampingSeconds: seconds) }
        // Only the driver of now counts: gpsd finds out about a receiver step by step.
        if report.driver != nil {
            let least = report.mincycle.flatMap { 0...3600 ~= $0 ? $0 : nil }
            minimumCycle = least.map { Duration(clampingSeconds: $0) }
        }
        isReadOnly = report.readonly ?? isReadOnly
        lastHeard = report.activated ?? lastHeard
    }
}

extension String {
    fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}
