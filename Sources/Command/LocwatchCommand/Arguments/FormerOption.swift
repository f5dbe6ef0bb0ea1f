import LocwatchArguments
import LocwatchSession
import LocwatchTerminal

/// An option of an earlier release that still works, with what takes its place.
///
/// A row of the table is all that an option needs that goes or gets another name. Neither the help nor the completions show it. The program
/// says once for each that it found what to write instead, and release 0.7 refuses it.
struct FormerOption: Sendable {
    let name: String
    /// The option that it is now, or else one with its value and its effect, which can be none.
    let entry: OptionEntry
    private let formerCommands: [CommandName]?
    /// The command that does it now, if it is another one.
    let newCommand: CommandName?
    /// The end of the line about the option, which names its successor.
    let advice: String

    static let all = [
        FormerOption(
            .value(
                "backlog-rate", .wholeNumber("N", in: 0...Int.max).or("unlimited", Int.max), ""
            ) { $0.publishing.sendsNewestOnly = $1 == 0 },
            of: [PublishCommand.entry.name],
            "a target sets the pace by itself, and what 0 was is ?newest behind a TARGET"),
        FormerOption(
            .flag("from-start", "") { _ in }, of: [PublishCommand.entry.name],
            "it has no effect, because a target that is new to a queue gets what follows its first start"),
        FormerOption(
            .flag("skip-rejected", "") { _ in }, of: [PublishCommand.entry.name],
            "it has no effect, because a record whose content a target refuses five times is set aside by itself"),
        FormerOption(
            .value("at", .word, "") { $0.reading.formerTimes.append($1) }, of: [OnceCommand.entry.name],
            now: WhereCommand.entry.name, "write 'locwatch where FILE TIME'"),
        FormerOption("odometer", now: "state"),
        FormerOption("fence-state", now: "state"),
    ]

    /// Creates an option that has gone.
    ///
    /// - Parameter newCommand: The command that does now what the option did with another one.
    private init(
        _ entry: OptionEntry, of commands: [CommandName], now newCommand: CommandName? = nil, _ advice: String
    ) {
        (name, self.entry, formerCommands, self.advice) = (entry.name.rawValue, entry, commands, advice)
        self.newCommand = newCommand
    }

    /// Creates an option that has another name.
    private init(_ name: String, now new: OptionName) {
        self.name = name
        // A test looks all rows up, so that the option exists.
        entry = OptionTable.all.first { $0.name == new }!
        (formerCommands, newCommand, advice) = (nil, nil, "write \(new.long)")
    }

    var commands: [CommandName] { formerCommands ?? entry.commands }

    func isTaken(by command: CommandName) -> Bool {
        formerCommands.map { $0.contains(command) || command == newCommand } ?? entry.isTaken(by: command)
    }

    /// Returns the option with a name, if an earlier release had it.
    static func named(_ name: String) -> FormerOption? { all.first { $0.name == name } }
}

/// The line about something that still works and that release 0.7 refuses.
enum FormerNotice {
    static func text(_ spelling: String, _ advice: String) -> String {
        "\(spelling) is deprecated, and 0.7 refuses it: \(advice)"
    }
}
