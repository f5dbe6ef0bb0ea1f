package import LocationCore

extension SkyView {
    /// Creates a sky view from a report, without implausible values.
    package init(_ report: borrowing SKYReport, listsSatellites: Bool) {
        var faults: ImplausibleFields = []
        self.init(report, listsSatellites: listsSatellites, &faults)
    }

    /// Creates a sky view from a report, without implausible values, whose fields are inserted into `faults`.
    ///
    /// - Parameter listsSatellites: Whether the satellites are listed individually; they are counted in any case.
    init(_ report: borrowing SKYReport, listsSatellites: Bool, _ faults: inout ImplausibleFields) {
        var facts = SkyFacts()
        facts.dilution = report.dilution
        faults.check(&facts.dilution)
        faults.formUnion(report.satelliteFaults)
        facts.list = report.satellites
        // A report without a list does not differ between the two kinds of session.
        facts.isListed = listsSatellites || facts.list == nil
        let census = facts.census
        let isBySignal = census.hasRepeats
        let hasList = facts.list != nil
        // gpsd leaves out of its list the satellites whose number it does not know. Its counts are those of signals if its list is.
        func count(_ listed: Int, _ reported: Int?) -> Int? {
            guard hasList else { return reported }
            return isBySignal ? listed : max(listed, reported ?? 0)
        }
        facts.seen = count(census.seen, faults.checked(report.nSat, .nSat))
        facts.used = count(census.used, faults.checked(report.uSat, .uSat))
        facts.timestamp = report.time
        facts.device = report.receiver
        self.init(facts, census)
    }
}

extension SKYReport {
    /// The receiver's name, or `nil` if gpsd left it empty.
    var receiver: String? { device.flatMap { $0.isEmpty ? nil : $0 } }
}

extension ImplausibleFields {
    /// Removes the implausible dilutions, whose fields are inserted into the set, and those of 0.
    fileprivate mutating func check(_ dilution: inout DilutionOfPrecision) {
        if dilution.isOrdinary { return }
        for field in DilutionOfPrecision.Field.allCases {
            guard let number = dilution[field] else { continue }
            if checked(number, field) == nil { dilution[field] = nil }
        }
        dilution.removeZeros()
    }
}
