package import LocwatchArguments
package import LocwatchTerminal

/// A command of the program.
///
/// A new command is one type, one line in `CommandTable` and its name in `CommandName.allCases`; parser, help, completions and
/// manual page are derived from them.
package protocol Command: SendableMetatype {
    static var entry: CommandEntry { get }
    /// Checks the requirements on an invocation that the parser does not know.
    static func check(_ invocation: Invocation) throws(UsageError)
    /// Runs the command and returns its exit code.
    static func run(_ session: CommandSession) -> ExitCode
}

extension Command {
    package static func check(_ invocation: Invocation) throws(UsageError) { try invocation.checkOutput() }
}
