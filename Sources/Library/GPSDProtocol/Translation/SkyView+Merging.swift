import LocationCore

extension SkyView {
    /// The number of signals in a merged list, which receivers of all systems and bands do not reach.
    private static let mergedLimit = 256

    /// Returns the view with what an earlier report of the same epoch contains and this one lacks.
    func completed(by earlier: SkyView) -> SkyView {
        var (facts, census) = (self.facts, self.census)
        let before = earlier.facts
        facts.timestamp = facts.timestamp ?? before.timestamp
        facts.dilution.complete(with: before.dilution)
        if let list = facts.list, let other = before.list {
            if let all = list.completed(by: other, limit: Self.mergedLimit) {
                census = SatelliteCensus(all)
                (facts.list, facts.seen, facts.used) = (all, census.seen, census.used)
            }
        } else if facts.list == nil {
            facts.takeList(of: before)
            census = earlier.census
        }
        return SkyView(facts, census)
    }
}

extension SkyFacts {
    /// Takes over the list and the counts of an earlier report.
    ///
    /// A count beside a list says less than the list: a GGA counts at most twelve satellites in use. But in the first lists of an
    /// epoch none may be marked as used yet.
    fileprivate mutating func takeList(of earlier: SkyFacts) {
        (list, isListed) = (earlier.list, earlier.isListed)
        let hasList = list != nil
        seen = hasList ? earlier.seen : seen ?? earlier.seen
        if hasList, let counted = earlier.used, counted > 0 { used = counted }
        used = used ?? earlier.used
    }
}

extension DilutionOfPrecision {
    fileprivate mutating func complete(with earlier: DilutionOfPrecision) {
        for field in Field.allCases where self[field] == nil {
            self[field] = earlier[field]
        }
    }
}
