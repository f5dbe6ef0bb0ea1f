/// A command of the program.
///
/// A new command is one type and one line in `CommandTable`; parsing, help, completions and the manual page follow from it.
protocol Command: SendableMetatype {
    /// The declaration of the command.
    static var entry: CommandEntry { get }
    /// Checks what the parser cannot know of an invocation.
    static func check(_ invocation: Invocation) throws(UsageError)
    /// Runs the command to its end.
    static func run(_ invocation: Invocation, _ context: CommandContext) -> ExitCode
}

extension Command {
    static func check(_ invocation: Invocation) throws(UsageError) { try invocation.checkColumns() }
}

/// Every command, in the order in which help lists them.
enum CommandTable {
    static let all: [any Command.Type] = [
        WatchCommand.self,
        OnceCommand.self,
        RecordCommand.self,
        ExportCommand.self,
        StatsCommand.self,
        DevicesCommand.self,
        DoctorCommand.self,
        ServeCommand.self,
        CompletionsCommand.self,
        HelpCommand.self,
        VersionCommand.self,
    ]

    /// The command that a first word which names none stands for.
    static let standard = WatchCommand.entry.name

    static let entries = Dictionary(uniqueKeysWithValues: all.map { ($0.entry.name.rawValue, $0.entry) })

    /// The type of a command.
    static func command(_ name: CommandName) -> any Command.Type {
        // Every name is made of an entry, or was looked up in the table.
        all.first { $0.entry.name == name }!
    }
}
