import LocationCore

/// A merger that makes one record per epoch out of a receiver's position reports.
///
/// An epoch is identified by its device and time. Its first report is returned at once; a later one is merged with the
/// known values, and returned only if a value then differs from what was returned before. A report without a time is an
/// epoch of its own, except in a live session: until gpsd knows the date, it reports the coordinate of one epoch for each
/// of its sentences. Details that only some receivers report are merged too, but do not cause a record by themselves.
///
/// Of two accuracies of one epoch, the smaller one counts while the later value lies within it, because then both can be
/// true. A receiver that sends two protocols states its accuracy in one of them; for the report of the other, gpsd
/// estimates it from the dilution of precision, up to 200 times larger.
struct EpochMerger: Hashable, Sendable {
    /// The time within which live reports of an epoch without a time follow its first one.
    private static let span = Duration.milliseconds(300)

    private var known: Location?
    /// The moment of the first report of the known epoch, if that has no time.
    private var untimed: Moment?

    /// Returns the location of a report, or `nil` if it has no position or nothing new; inserts implausible fields into
    /// `faults`.
    ///
    /// - Parameter arrival: The moment at which the report of a live session has arrived; `nil` in a recording.
    mutating func process(
        _ report: TPVReport, arrival: Moment? = nil, _ faults: inout ImplausibleFields
    ) -> Location? {
        guard let position = report.position(&faults) else { return nil }
        var location = Location(report, at: position, &faults)
        if let arrival, let untimed, untimed.duration(to: arrival) <= Self.span,
            known?.coordinate == location.coordinate
        {
            if location.timestamp != nil { self.untimed = nil }
            return revise(with: location, qualityIsKnown: report.status != nil)
        }
        untimed = location.timestamp == nil ? arrival : nil
        if let time = location.timestamp, let before = known?.timestamp {
            if time == before { return revise(with: location, qualityIsKnown: report.status != nil) }
            location.isLate = time < before
        }
        known = location
        return location
    }

    /// Returns the known epoch merged with a later report of it, or `nil` if the report adds nothing.
    private mutating func revise(with location: Location, qualityIsKnown: Bool) -> Location? {
        guard let known else { return nil }
        var merged = known.merged(with: location, qualityIsKnown: qualityIsKnown)
        merged.keepSmallerAccuracies(of: known)
        merged.revision = known.revision
        merged.isLate = known.isLate
        let details = merged.details
        merged.details = known.details
        let isNews = merged != known
        merged.details = details
        if isNews {
            // A later report of a late epoch is not late, because its epoch is the current one now.
            merged.isLate = false
            merged.revision += 1
        }
        self.known = merged
        return isNews ? merged : nil
    }
}
