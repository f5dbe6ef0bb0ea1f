package import LocationCore

extension ATTReport {
    /// The receiver's name, or `nil` if gpsd left it empty.
    var receiver: String? { device.flatMap { $0.isEmpty ? nil : $0 } }
}

extension Attitude {
    /// Creates an attitude from a report, without implausible values.
    package init(_ report: ATTReport) {
        var faults: ImplausibleFields = []
        self.init(report, &faults)
    }

    /// Creates an attitude from a report, without implausible values, which are inserted into `faults`.
    init(_ report: ATTReport, _ faults: inout ImplausibleFields) {
        self.init(
            heading: faults.checked(report.heading, named: "heading"),
            headingMagnetic: faults.checked(report.mheading, named: "mheading"),
            pitch: faults.checked(report.pitch, named: "pitch"), roll: faults.checked(report.roll, named: "roll"),
            rateOfTurn: faults.checked(report.rot, named: "rot"), timestamp: report.time, device: report.receiver)
    }
}

extension ImplausibleFields {
    /// Returns a plausible number of a location, or `nil` for any other, whose field is inserted into the set.
    fileprivate mutating func checked(_ value: Double?, named name: String) -> Double? {
        guard let value, let place = LocationNumbers.places[name] else { return nil }
        let number = checked(value, LocationNumbers.fields[place], at: place)
        return number.isNaN ? nil : number
    }
}
