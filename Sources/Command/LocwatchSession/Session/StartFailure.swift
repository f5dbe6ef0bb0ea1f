package import LocwatchArguments
package import LocwatchTerminal

/// A reason for which a command cannot begin, with its exit code.
package struct StartFailure: Error {
    package let text: String
    package let code: ExitCode

    package init(_ message: String, _ code: ExitCode) { self.init([message], code) }

    package init(_ messages: [String], _ code: ExitCode) {
        text = messages.map { "locwatch: \($0.printable)\n" }.joined()
        self.code = code
    }

    package init(lines: String, _ code: ExitCode) {
        text = lines
        self.code = code
    }

    package init(_ error: UsageError) { self.init(lines: error.text, error.code) }
}
