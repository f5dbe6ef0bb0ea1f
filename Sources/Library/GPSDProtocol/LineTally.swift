package import LocationCore

/// The lines of a session in numbers: those that were reports, and those that were not, with the first fault.
package struct LineTally: Sendable {
    /// The number of lines read, valid or not.
    package private(set) var lines = 0
    /// The number of lines that were reports.
    package private(set) var reports = 0
    /// The number of lines that were not reports.
    package private(set) var faults = 0
    /// The number of the first line that was not a report, and the reason.
    package private(set) var firstFault: (line: Int, cause: String)?
    /// Whether a report was more than the greeting of gpsd, its lists of devices and marks.
    private var hasContent = false

    package init() {}

    package mutating func noteLine() { lines += 1 }

    package mutating func note(_ report: GPSDReport) {
        reports += 1
        hasContent = hasContent || report.isContent
    }

    package mutating func note(fault cause: @autoclosure () -> String) {
        faults += 1
        if firstFault == nil { firstFault = (lines, cause()) }
    }

    /// Whether the lines are a recording of use: there is a report, and no fault if the reports are only a greeting.
    package var isSession: Bool { reports > 0 && (hasContent || faults == 0) }

    /// Returns the error for a recording without a report of use, with its first fault, if any.
    package func noSession(named name: String, isEmpty: Bool) -> LocationError {
        guard let firstFault else {
            return .notASession(path: name, line: 0, cause: isEmpty ? "it is empty" : "there is no report in it")
        }
        let count = faults > 1 ? ", and \(faults) lines were skipped in all" : ""
        return .notASession(path: name, line: firstFault.line, cause: firstFault.cause + count)
    }
}
