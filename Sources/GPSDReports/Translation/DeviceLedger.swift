import LocationCore

/// What is known of each receiver of a session, and what follows from it for the search.
///
/// gpsd does not say when a receiver falls silent, sends rubbish or is pulled out; its answers to `?DEVICES;` show it: the
/// time of the last byte stands still, or moves on without a driver, or the device is no longer listed.
struct DeviceLedger: Hashable, Sendable {
    fileprivate struct Entry: Hashable {
        var status: DeviceStatus
        /// The listing that the next one is compared with.
        var listing: Listing?
        /// Whether any report came from it since then.
        var hasReportedSince = false
        /// Whether it was ever open.
        var wasOpen = false
    }

    fileprivate struct Listing: Hashable {
        /// When it was, by the session's clock.
        var moment: Moment
        /// When the daemon had heard a byte from the device last.
        var lastHeard: Timestamp
    }

    /// The number of devices that are remembered; gpsd itself has fewer than ten.
    private static let limit = 256

    private var entries: [String: Entry] = [:]
    private var wasEmpty = false
    /// The receiver that was heard last, as long as hearing it again changes nothing.
    private var heard: String?

    /// Takes in the whole list of the daemon's devices.
    mutating func list(_ reports: [DeviceReport], at moment: Moment, _ tell: (LocationEvent) -> Void) {
        for report in reports { update(report, isListing: true, at: moment, tell) }
        let listed = Set(reports.compactMap(\.path))
        // In an order of their own, so that a replay tells them in the order in which they were told live.
        for path in entries.keys.sorted() where !listed.contains(path) {
            guard let entry = entries[path], entry.status.activity.isPresent else { continue }
            // One that was never open before it vanished is one that the daemon failed to open.
            change(path, to: entry.wasOpen ? .gone : .unopenable, tell)
        }
        if reports.isEmpty, !wasEmpty, entries.isEmpty { tell(.searching(.noDevice)) }
        wasEmpty = reports.isEmpty
    }

    /// Takes in what the daemon says of one device.
    mutating func update(
        _ report: DeviceReport, isListing: Bool = false, at moment: Moment, _ tell: (LocationEvent) -> Void
    ) {
        guard let path = report.path, !path.isEmpty else { return }
        heard = nil
        let before = entries[path]
        var entry = before ?? Entry(status: DeviceStatus(path: path))
        entry.status.take(report)
        entry.wasOpen = entry.wasOpen || report.activated != nil
        let activity = activity(of: report, before: before, isListing: isListing, at: moment)
        if isListing, entry.hasReportedSince || before?.isToBeCompared(at: moment) != false {
            entry.listing = report.activated.map { Listing(moment: moment, lastHeard: $0) }
            entry.hasReportedSince = false
        }
        entries[path] = entry
        change(path, to: activity, since: before?.status, tell)
    }

    /// Takes note that a receiver has sent something.
    mutating func hear(from path: String?, _ tell: (LocationEvent) -> Void) {
        guard let path, path != heard, entries[path] != nil || entries.count < Self.limit else { return }
        heard = path
        if entries[path]?.status.activity == .reporting {
            entries[path]?.hasReportedSince = true
            return
        }
        var entry = entries[path] ?? Entry(status: DeviceStatus(path: path))
        entry.hasReportedSince = true
        entry.wasOpen = true
        let before = entries[path]?.status
        entries[path] = entry
        change(path, to: .reporting, since: before, tell)
    }

    private func activity(
        of report: DeviceReport, before: Entry?, isListing: Bool, at moment: Moment
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

    private mutating func change(
        _ path: String, to activity: DeviceStatus.Activity, since before: DeviceStatus? = nil,
        _ tell: (LocationEvent) -> Void
    ) {
        guard var status = entries[path]?.status else { return }
        let old = before ?? status
        if activity != .reporting { heard = nil }
        status.activity = activity
        entries[path]?.status = status
        var comparable = status
        comparable.lastHeard = old.lastHeard
        guard before == nil || comparable != old else { return }
        tell(.device(status))
        guard old.activity != activity || before == nil, let reason = activity.searchReason(path) else { return }
        tell(.searching(reason, device: path))
    }
}

extension DeviceLedger.Entry {
    /// Whether so much time has passed since the last listing that another one tells something.
    ///
    /// Two lists right after one another say nothing: a receiver may pause between two cycles.
    fileprivate func isToBeCompared(at moment: Moment) -> Bool {
        guard let listing else { return true }
        return listing.moment.duration(to: moment) >= max(.milliseconds(1500), (status.cycle ?? .zero) * 2)
    }
}

extension DeviceStatus.Activity {
    /// Whether the daemon still has the device.
    fileprivate var isPresent: Bool { self != .gone && self != .unopenable }

    /// Why there is no position from a device that does this; `nil` where it is no reason.
    fileprivate func searchReason(_ path: String) -> SearchReason? {
        switch self {
        case .unknown, .idle, .reporting: nil
        case .unopenable: .deviceUnopenable(path: path)
        case .silent: .deviceSilent(path: path)
        case .babbling: .deviceBabbling(path: path)
        case .gone: .deviceLost(path: path)
        }
    }
}

extension DeviceStatus {
    /// Takes over what a report says, and keeps what it does not speak of.
    fileprivate mutating func take(_ report: DeviceReport) {
        driver = report.driver ?? driver
        subtype = [report.subtype, report.subtype1].compactMap(\.self).joined(separator: " ").nonEmpty ?? subtype
        if let bps = report.bps, 1...100_000_000 ~= bps { speed = bps }
        if let parity = report.parity, let stopbits = report.stopbits {
            // gpsd does not tell the data bits: it sets seven with two stop bits, and eight otherwise.
            framing = "\(stopbits == 2 ? 7 : 8)\(parity)\(stopbits)"
        }
        // A position stays current for some cycles: one of more than an hour is no receiver's, and would never age.
        if let seconds = report.cycle, seconds > 0, seconds <= 3600 { cycle = Duration(clampingSeconds: seconds) }
        lastHeard = report.activated ?? lastHeard
    }
}

extension String {
    fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}
