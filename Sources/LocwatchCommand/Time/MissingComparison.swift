import LocationCore

/// The reason why a session had no comparison of clocks.
struct MissingComparison {
    let source: SourceWord
    /// Whether the receiver had a position.
    let hadFix: Bool

    /// The reason and the advice, each a line.
    var lines: String {
        let (reason, advice) = words
        return "locwatch: no comparison of the clocks: \(reason)\nlocwatch: \(advice)\n"
    }

    private var words: (String, String) {
        if source.simulation != nil {
            return (
                "gpsd makes none for a pseudo terminal, and the simulated receiver is on one",
                "play the recording of a receiver with a pulse, or use a receiver on a serial line"
            )
        }
        if source.recording != nil {
            return (
                "the recording has none, because gpsd made none or they were not asked for",
                "locwatch record keeps them; gpspipe needs its option -P too"
            )
        }
        guard hadFix else {
            return ("the receiver had no fix, and gpsd waits for one", "find out why: locwatch doctor")
        }
        if source.endpoint == nil {
            return (
                "the private gpsd for a serial receiver only reads (-b), and does not ask it for its time",
                "name the receiver in /etc/default/gpsd, and run locwatch time without a SOURCE"
            )
        }
        return (
            "gpsd makes none for a receiver on the network, on a pseudo terminal or behind another gpsd, and a gpsd "
                + "that only reads (-b) does not ask a receiver for its time",
            "connect the receiver to a serial line or USB of the machine with gpsd"
        )
    }
}
