/// A command of the program.
///
/// A new command is one type and one line in `CommandTable`; parser, help, completions and manual page are derived from it.
protocol Command: SendableMetatype {
    /// The declaration of the command.
    static var entry: CommandEntry { get }
    /// Checks the requirements on an invocation that the parser does not know.
    static func check(_ invocation: Invocation) throws(UsageError)
    /// Runs the command and returns its exit code.
    static func run(_ invocation: Invocation, _ context: CommandContext) -> ExitCode
}

extension Command {
    static func check(_ invocation: Invocation) throws(UsageError) { try invocation.checkColumns() }
}

/// All commands, in the order in which the help lists them.
enum CommandTable {
    static let all: [any Command.Type] = [
        WatchCommand.self,
        MonitorCommand.self,
        OnceCommand.self,
        RecordCommand.self,
        ExportCommand.self,
        StatsCommand.self,
        TimeCommand.self,
        PublishCommand.self,
        WebCommand.self,
        DevicesCommand.self,
        DoctorCommand.self,
        ServeCommand.self,
        CompletionsCommand.self,
        HelpCommand.self,
        VersionCommand.self,
    ]

    /// The command that runs if the first word does not name one.
    static let standard = WatchCommand.entry.name

    static let entries = Dictionary(uniqueKeysWithValues: all.map { ($0.entry.name.rawValue, $0.entry) })

    /// Returns the type that implements a command.
    static func command(_ name: CommandName) -> any Command.Type {
        // The lookup succeeds because every name comes from an entry or was checked against the table.
        all.first { $0.entry.name == name }!
    }
}
