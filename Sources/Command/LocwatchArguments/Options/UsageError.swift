package import LocwatchPlatform
package import LocwatchTerminal

/// An error in the arguments or the configuration, or a file that they name and that cannot be read.
package struct UsageError: Error, Hashable {
    /// The message, with the name of the option and the value; that of a `ValueSyntax` lacks both until `named` adds them.
    package var message: String
    /// The command whose help the user is referred to; without one, that is the overview.
    private(set) var command: CommandName?
    /// Whether the command is known, so that `of` can add it.
    private var knowsCommand = true
    package private(set) var code = ExitCode.usage
    /// The options that the error is about: one that does not fit the command or its source, or several that exclude each other.
    ///
    /// Those that come from the configuration fit other invocations, so the parser goes on without them.
    package private(set) var options: [OptionName] = []
    /// The failure because of which a file cannot be read, if that is the reason.
    private(set) var failure: SystemFailure?
    /// A valid value that is similar to the given one, if any.
    private var suggestion: String?
    /// Whether the message may show the value; one that can contain a secret is not shown.
    private(set) var showsValue = true

    package init(_ message: String) { self.message = message }

    /// Creates the error of an option that does not fit the command, its source or other options; the message follows its name.
    package init(_ option: OptionName, _ message: String) {
        self.init("\(option.long) \(message)")
        options = [option]
    }

    /// Creates the error of options that exclude each other, or of one with which the message does not begin.
    package init(of options: OptionName..., message: String) {
        self.init(message)
        self.options = options
    }

    /// Creates the error of a configuration.
    package init(configuration message: String) {
        self.init(message)
        code = .configuration
    }

    /// Creates the error of an unknown command, which resembles one that there is.
    package init(unknownCommand word: String, meant: String) {
        self.init("unknown command \(word.printable); did you mean \(meant)?")
        knowsCommand = false
    }

    package init(unreadable path: String, _ failure: SystemFailure) {
        self.init("cannot read \(path.printable): \(failure.reason)")
        self.failure = failure
        code = ExitCode(reading: failure)
    }

    init(noInput message: String) {
        self.init(message.printable)
        code = .noInput
    }

    /// Returns the error of a command line of a command, if it has one, to whose help it refers if it is that command's.
    package func of(_ command: CommandName?) -> UsageError {
        var error = self
        if knowsCommand { error.command = command }
        return error
    }

    /// The error as one of the configuration, which has the option.
    package var ofConfiguration: UsageError {
        var error = self
        if code == .usage { error.code = .configuration }
        return error
    }

    /// The lines for standard error.
    package var text: String {
        guard code == .usage else { return "locwatch: \(message)\n" }
        let help = command.map { "locwatch help \($0.rawValue)" } ?? "locwatch help"
        return "locwatch: \(message)\nlocwatch: see '\(help)'\n"
    }
}

extension UsageError {
    /// Throws if a file cannot be made or replaced without the right to write in a folder of the system, such as / or /dev.
    package static func checkFolder(of path: String) throws(UsageError) {
        guard let folder = WrittenFolder.ofSystem(around: path) else { return }
        throw UsageError(
            "cannot write \(path.printable): a session that may make files in \(folder) could write every file there; "
                + "name a file in another folder")
    }
}

// MARK: Values

extension UsageError {
    /// Creates the error of a value with a description of the valid ones.
    package init(allowed: String, suggestion: String? = nil) {
        self.init(value: "expected \(allowed)", suggestion: suggestion)
    }

    /// Creates the error of a value with the reason in full.
    init(value reason: String, suggestion: String? = nil) {
        self.init(reason)
        self.suggestion = suggestion
    }

    /// Creates the error of a value that can contain a secret, with the reason in full.
    init(secretValue reason: String) {
        self.init(reason)
        showsValue = false
    }

    /// Returns the error of a value with the names of the option and, unless it can contain a secret, the value.
    package func named(_ spelling: String, _ value: String) -> UsageError {
        guard showsValue else { return UsageError("invalid \(spelling): \(message)") }
        let meant = suggestion.map { " (did you mean \($0)?)" } ?? ""
        return UsageError("invalid value \"\(value.printable)\" for \(spelling)\(meant): \(message)")
    }
}
