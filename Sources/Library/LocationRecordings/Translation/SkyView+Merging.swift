import LocationCore

extension SkyFacts {
    /// The number of signals in a merged list, which receivers of all systems and bands do not reach.
    private static let mergedLimit = 256

    /// Adds what an earlier report of the same epoch contains and this one lacks.
    mutating func complete(with earlier: SkyFacts) {
        timestamp = timestamp ?? earlier.timestamp
        dilution.complete(with: earlier.dilution)
        if let list = satellites, let before = earlier.satellites {
            guard let all = list.completed(by: before, limit: Self.mergedLimit) else { return }
            satellites = all
            count(all.census)
        } else if let list = figures, let before = earlier.figures {
            guard let all = list.completed(by: before, limit: Self.mergedLimit) else { return }
            figures = all
            count(all.census)
        } else if !hasList {
            takeList(of: earlier)
        }
    }

    private mutating func count(_ census: SatelliteCensus) { (seen, used) = (census.seen, census.used) }

    /// Takes over the list and the counts of an earlier report.
    ///
    /// A count beside a list says less than the list: a GGA counts at most twelve satellites in use. But in the first lists of an
    /// epoch none may be marked as used yet.
    private mutating func takeList(of earlier: SkyFacts) {
        (satellites, figures) = (earlier.satellites, earlier.figures)
        seen = hasList ? earlier.seen : seen ?? earlier.seen
        if hasList, let counted = earlier.used, counted > 0 { used = counted }
        used = used ?? earlier.used
    }
}

extension DilutionOfPrecision {
    mutating func complete(with earlier: DilutionOfPrecision) {
        for field in Field.allCases where self[field] == nil {
            self[field] = earlier[field]
        }
    }
}
