import LocwatchArguments
import LocwatchSession

/// All commands, in the order in which the help lists them.
enum CommandTable {
    static let all: [any Command.Type] = [
        WatchCommand.self,
        MonitorCommand.self,
        OnceCommand.self,
        WhereCommand.self,
        RecordCommand.self,
        ExportCommand.self,
        StatsCommand.self,
        TimeCommand.self,
        PublishCommand.self,
        WebCommand.self,
        DevicesCommand.self,
        DoctorCommand.self,
        ServeCommand.self,
        ControlCommand.self,
        CompletionsCommand.self,
        HelpCommand.self,
        VersionCommand.self,
    ]

    /// The command that runs if the first word does not name one.
    static let standard = WatchCommand.entry.name

    static func command(_ name: CommandName) -> any Command.Type {
        // The names have the order of the table, so that the declarations of the other commands need not be built.
        // The lookup succeeds because every name comes from an entry or is one of `allCases`.
        all[CommandName.allCases.firstIndex(of: name)!]
    }
}

extension CommandName {
    var entry: CommandEntry { CommandTable.command(self).entry }
}

extension OptionEntry {
    var commands: [CommandName] { CommandName.allCases.filter(isTaken) }

    func isTaken(by command: CommandName) -> Bool { command.entry.options.contains(name) }
}
