import LocwatchArguments

/// The options of 0.2 that went, each with the end of a sentence that says what replaces it; with 0.4 they are unknown.
enum RetiredOptions {
    private static let answers = [
        "every": "is --interval now", "min-move": "is --distance now",
        "publish": "is --to now", "watch": "is --follow now",
        "no-backlog": "is --backlog-rate 0 now", "no-queue": "is --queue memory now",
        "queue-size": "is --queue-limit SIZE now", "queue-age": "is --queue-limit AGE now",
        "key": "is ?cert=FILE,KEY in the TARGET now", "cert": "is ?cert= in the TARGET or the SOURCE now",
        "ca-file": "is ?ca-file= in the TARGET or the SOURCE now",
        "speed": "is ?speed= in the SOURCE now, as in ride.gpx?speed=50km/h",
        "degrees": "is a part of --units now, as in --units dms or nautical,dm",
        "dwell": "is a part of --fence now, as in --fence home=45.07,7.68,150,10m",
        "method": "is ?method= in the TARGET now",
        "discovery-prefix": "is ?discovery= in the TARGET now", "tracker-id": "is ?tracker= in the TARGET now",
        "client-id": "is ?client= in the TARGET now",
        "sentences": "is --columns of 'export nmea' now, and ?sentences= in a TARGET",
        "text": "is gone: text is the default, which watch and once also print with --format text",
        "on-timeout": "is gone: write a time after the event, as in --on every/5m=COMMAND",
        "on-replay": "is gone: with --pace, hooks run over a recording",
        "on-shell": "is gone: a shell runs every hook", "revisions": "is gone: an epoch is one position",
    ]

    /// Returns the name of the option that a variable of 0.2 set, as in `LOCWATCH_MAX_AGE`, or `nil` for another variable.
    static func name(ofVariable variable: String) -> String? {
        let prefix = "LOCWATCH_"
        guard variable.hasPrefix(prefix) else { return nil }
        return String(variable.dropFirst(prefix.count).lowercased().map { $0 == "_" ? "-" : $0 })
    }

    /// The names of the options.
    static var names: [String] { Array(answers.keys) }

    /// Returns the answer to an option that went, or `nil` if there was none of this name.
    ///
    /// - Parameter spelling: The option as it was given.
    static func answer(to name: String, as spelling: String) -> String? {
        answers[name].map { "\(spelling) \($0)" }
    }
}
