/// What is wrong with the arguments or the environment, for the person who typed them.
struct UsageError: Error, Hashable {
    /// What is wrong, with the name of the option and the value.
    var message: String
    /// The command whose help tells more, where one is known.
    var command: CommandName?

    init(_ message: String, command: CommandName? = nil) {
        self.message = message
        self.command = command
    }

    /// The lines for standard error.
    var text: String {
        let help = command.map { "locwatch help \($0.rawValue)" } ?? "locwatch help"
        return "locwatch: \(message)\nlocwatch: see '\(help)'\n"
    }
}

/// Why the value of an option will not do.
struct ValueError: Error, Hashable {
    /// What would do.
    var allowed: String
    /// A word that may have been meant.
    var suggestion: String?

    init(allowed: String, suggestion: String? = nil) {
        self.allowed = allowed
        self.suggestion = suggestion
    }
}
