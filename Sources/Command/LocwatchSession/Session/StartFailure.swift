package import LocwatchArguments
package import LocwatchTerminal

/// A reason for which a command cannot begin, with its exit code.
package struct StartFailure: Error {
    /// The lines for standard error.
    package let text: String
    package let code: ExitCode

    package init(_ message: String, _ code: ExitCode) {
        text = "locwatch: \(message.printable)\n"
        self.code = code
    }

    /// Creates a failure with several messages.
    package init(_ messages: [String], _ code: ExitCode) {
        text = messages.map { "locwatch: \($0.printable)\n" }.joined()
        self.code = code
    }

    /// Creates a failure with whole lines.
    package init(lines: String, _ code: ExitCode) {
        text = lines
        self.code = code
    }

    package init(_ error: UsageError) {
        text = error.text
        code = error.code
    }
}
