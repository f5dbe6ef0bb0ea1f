import LocwatchArguments

/// The options of 0.2 that went, each with the words that replace it; with 0.4 they are unknown.
enum RetiredOptions {
    private static let replacements = [
        "every": "--interval", "min-move": "--distance", "text": "--format text", "no-backlog": "--backlog-rate 0",
        "ready-fd": "--print-port", "publish": "--to", "watch": "--follow", "clock": "--pace manual",
        "no-queue": "--queue memory", "queue-size": "--queue-limit SIZE", "queue-age": "--queue-limit AGE",
        "key": "--cert FILE,KEY", "sentences": "--columns for export, and ?sentences= in the TARGET",
        "method": "?method= in the TARGET", "discovery-prefix": "?discovery= in the TARGET",
        "tracker-id": "?tracker= in the TARGET", "client-id": "?client= in the TARGET",
        "on-timeout": "a time after the event, as in --on every/5m=COMMAND",
        "on-replay": "a --pace that is given: at it hooks run over a recording",
        "on-shell": "the rule: a shell runs every hook", "revisions": "--json, which has every report",
    ]

    /// The names of the options.
    static var names: [String] { Array(replacements.keys) }

    /// Returns the answer to an option that went, or `nil` if there was none of this name.
    ///
    /// - Parameter spelling: The option as it was given.
    static func answer(to name: String, as spelling: String) -> String? {
        replacements[name].map { "\(spelling) is \($0) now" }
    }
}
