import LocwatchArguments

/// The reason why a session had no comparison of clocks.
struct MissingComparison {
    let source: SourceWord
    let hasReceiver: Bool
    /// Whether the receiver had a position.
    let hadFix: Bool

    /// The reason and the advice, each a line.
    var lines: String {
        let (reason, advice) = words
        return "locwatch: no comparison of the clocks: \(reason)\nlocwatch: \(advice)\n"
    }

    private var words: (String, String) {
        guard let doctor = source.doctor else {
            return (
                "the recording has none, because gpsd made none or they were not asked for",
                "locwatch record keeps them; gpspipe needs its option -P too"
            )
        }
        guard hasReceiver else { return ("gpsd has no receiver", "run \(doctor) to find out why") }
        guard hadFix else {
            return ("the receiver had no fix, and gpsd waits for one", "run \(doctor) to find out why")
        }
        return (
            "gpsd reported none, although the receiver has a fix: its driver gives no exact time, or a program that "
                + "does not compare clocks stands in for gpsd",
            "see what it sends: gpspipe -w -P"
        )
    }
}
