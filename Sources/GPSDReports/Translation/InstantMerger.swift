import LocationCore

/// Makes one record an instant out of a receiver's position reports.
///
/// An instant is the device and the time. The first report goes out at once; a later one of the same instant goes out
/// only if it changes or adds something, merged with what was known. A report without a time is an instant of its own.
/// Details that only some receivers tell ride along; they alone are no reason for another record.
struct InstantMerger: Hashable, Sendable {
    private var known: Location?

    /// The location that a report gives, or `nil` where it has no position or nothing new; implausible values are added to
    /// the faults.
    mutating func take(_ report: TPVReport, _ faults: inout ImplausibleFields) -> Location? {
        guard let position = report.position(&faults) else { return nil }
        var location = Location(report, at: position, &faults)
        if let time = location.timestamp, let before = known?.timestamp {
            if time == before { return revise(with: location, qualityIsKnown: report.status != nil) }
            location.isLate = time < before
        }
        known = location
        return location
    }

    /// The instant that is known, with what a later report of it brings; `nil` where that is nothing new.
    private mutating func revise(with location: Location, qualityIsKnown: Bool) -> Location? {
        guard let known else { return nil }
        var merged = known.merged(with: location, qualityIsKnown: qualityIsKnown)
        merged.revision = known.revision
        merged.isLate = known.isLate
        let details = merged.details
        merged.details = known.details
        let isNews = merged != known
        merged.details = details
        if isNews {
            // A later report of an instant that was late is not late again: its instant is the current one now.
            merged.isLate = false
            merged.revision += 1
        }
        self.known = merged
        return isNews ? merged : nil
    }
}
