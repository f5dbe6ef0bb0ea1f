import Glibc
package import LocwatchArguments
package import LocwatchPlatform
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

    /// Creates the failure of a server that cannot take its port, with what to do about it.
    package init(port failure: SystemFailure) {
        let advice: [String] =
            switch failure.code {
            case EADDRINUSE: ["another program has the port; take another one with --port"]
            case EACCES, EPERM: ["take a port above 1023 with --port"]
            default: []
            }
        self.init(["\(failure)"] + advice, ExitCode(connecting: failure))
    }

    package init(_ error: UsageError) { self.init(lines: error.text, error.code) }
}
