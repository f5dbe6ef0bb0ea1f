import LocationCore
import LocwatchArguments
import LocwatchTerminal

/// The reason why a session had no comparison of clocks.
struct MissingComparison {
    let source: SourceWord
    let view: SessionView
    let lasted: Duration

    /// The time in which a gpsd that compares the clocks does it even if it has to connect to its receiver first.
    private static let sufficient = Duration.seconds(5)

    var words: [String] { ["no comparison of the clocks: \(finding.reason)", finding.advice] }

    private var finding: (reason: String, advice: String) {
        guard let doctor = source.doctor else {
            return (
                "the recording has none, because gpsd made none or they were not asked for",
                "locwatch record keeps them; gpspipe needs its option -P too"
            )
        }
        let inquiry = "run \(doctor) to find out why"
        if case .searching(.noDevice) = view.state { return ("gpsd has no receiver", inquiry) }
        let isShort = lasted < Self.sufficient
        let duration = lasted.spoken
        if !view.isSatisfied {
            if case .searching(.noFix) = view.state {
                return ("the receiver had no fix, and gpsd waits for one", inquiry)
            }
            return ("no report of a position within \(duration)", isShort ? Self.patience : inquiry)
        }
        if isShort { return ("gpsd reported none within \(duration)", Self.patience) }
        return (
            "gpsd reported none, although the receiver has a fix: its driver gives no exact time, or a program that "
                + "does not compare clocks stands in for gpsd",
            "see what it sends: gpspipe -w -P"
        )
    }

    private static let patience = "gpsd compares the clocks once an epoch; let the command run longer"
}
