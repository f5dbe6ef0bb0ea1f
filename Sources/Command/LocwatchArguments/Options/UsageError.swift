package import LocwatchPlatform
package import LocwatchTerminal

/// An error in the arguments or the configuration, or a file that they name and that cannot be read.
package struct UsageError: Error, Hashable {
    /// The message, with the name of the option and the value.
    package var message: String
    /// The command whose help the user is referred to, if known.
    var command: CommandName?
    /// The exit code.
    package private(set) var code = ExitCode.usage

    package init(_ message: String, command: CommandName? = nil) {
        self.message = message
        self.command = command
    }

    /// Creates the error for a file that cannot be read.
    package init(unreadable path: String, _ failure: SystemFailure) {
        self.init("cannot read \(path.printable): \(failure.reason)")
        code = ExitCode(reading: failure)
    }

    /// Creates the error for a file that holds no usable secret.
    package init(_ error: SecretFileError) {
        if case .unreadable(let path, let failure) = error {
            self.init(unreadable: path, failure)
        } else {
            self.init(error.description.printable)
            code = .noInput
        }
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

    /// Creates the error for an invalid value, which names the option, the value and the valid values.
    package init(_ spelling: String, _ value: String, _ error: ValueError, _ command: CommandName?) {
        guard error.showsValue else {
            self.init("invalid \(spelling): \(error.allowed)", command: command)
            return
        }
        let meant = error.suggestion.map { " (did you mean \($0)?)" } ?? ""
        self.init(
            "invalid value \"\(value.printable)\" for \(spelling)\(meant): expected \(error.allowed)", command: command)
    }
}

/// The reason why a value is invalid.
package struct ValueError: Error, Hashable {
    /// A description of the valid values, or the reason in full if `showsValue` is false.
    var allowed: String
    /// A similar valid value, if any.
    var suggestion: String?
    /// Whether the message shows the value; one that can contain a secret is not shown.
    var showsValue = true

    /// Creates an error for a value that can contain a secret.
    init(reason: String) {
        allowed = reason
        showsValue = false
    }

    package init(allowed: String, suggestion: String? = nil) {
        self.allowed = allowed
        self.suggestion = suggestion
    }
}
