public import LocationCore

/// A provider that a test expects not to be used.
///
/// Its closure reports each use to the test framework, with the place where the source was created:
///
/// ```swift
/// let source = UnusedLocationSource { Issue.record("\($0)") }  // Swift Testing
/// let source = UnusedLocationSource { XCTFail($0) }            // XCTest
/// ```
///
/// A session that is started nevertheless ends at once with an error of the code `unused`.
public struct UnusedLocationSource: LocationProvider {
    private let report: @Sendable (String) -> Void
    private let callSite: CallSite

    /// Creates a source that passes a message to `report` for each session that is started.
    public init(fileID: String = #fileID, line: Int = #line, _ report: @escaping @Sendable (String) -> Void) {
        self.report = report
        callSite = CallSite(fileID: fileID, line: line)
    }

    /// Returns updates whose iteration reports a use and throws.
    public func updates(for request: LocationRequest) -> LocationUpdates {
        LocationUpdates(for: request) { [report, callSite] in
            let message = "\(callSite): a session was started: \(SourceCall(request))"
            report(message)
            let mailbox = LocationMailbox(clock: SessionClock(ContinuousClock(), startingAt: .testEpoch))
            mailbox.finish(throwing: LocationError.other(code: "unused", message: message))
            return mailbox
        }
    }
}
