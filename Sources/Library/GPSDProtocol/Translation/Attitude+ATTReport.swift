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
            heading: faults.checked(report.heading, .heading),
            headingMagnetic: faults.checked(report.mheading, .headingMagnetic),
            pitch: faults.checked(report.pitch, .pitch), roll: faults.checked(report.roll, .roll),
            rateOfTurn: faults.checked(report.rot, .rateOfTurn), timestamp: report.time, device: report.receiver)
    }
}
